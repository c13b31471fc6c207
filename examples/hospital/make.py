"""Writes the made-up hospital: patients, visits and laboratory. The same seed gives the same files. Nobody in it exists."""
import csv, datetime, os, random

draw = random.Random(36)
folder = os.path.dirname(os.path.abspath(__file__))
names = ["Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea", "Max", "Nia", "Ola", "Pia", "Rui", "Sam", "Tea", "Uma"]
wards = ["surgery", "medicine", "medicine", "oncology", "psychiatry"]
diagnoses = {"surgery": ["fracture", "hernia", "fracture"], "medicine": ["asthma", "diabetes", "hypertension"], "oncology": ["cancer"],
             "psychiatry": ["depression", "depression", "addiction"]}
patients, visits, laboratory = [], [], []
for number in range(1, 121):
    patient = f"P{number:03d}"
    born = datetime.date(1930, 1, 1) + datetime.timedelta(days=draw.randrange(75 * 365))
    patients.append([patient, draw.choice(names), draw.choice("fm"), born, draw.choice(["north", "south", "east"])])
    day = datetime.date(2023, 1, 1) + datetime.timedelta(days=draw.randrange(300))
    for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
        visit, ward, stay = f"V{len(visits) + 1:04d}", draw.choice(wards), draw.choice([0, 1, 1, 2, 3, 5, 9])
        visits.append([visit, patient, day, day + datetime.timedelta(days=stay), ward, draw.choice(diagnoses[ward])])
        for k in range(draw.randint(0, 3)):
            test = draw.choice(["glucose", "creatinine", "haemoglobin"])
            value = {"glucose": 95, "creatinine": 80, "haemoglobin": 140}[test] * draw.uniform(0.7, 1.5)
            laboratory.append([visit, patient, day + datetime.timedelta(days=min(k, stay)), test, f"{value:.0f}" if draw.random() > 0.03 else ""])
        day += datetime.timedelta(days=stay + draw.randint(10, 200))
for name, head, rows in (("patients", ["patient", "name", "sex", "born", "district"], patients),
                         ("visits", ["visit", "patient", "admitted", "discharged", "ward", "diagnosis"], visits),
                         ("laboratory", ["visit", "patient", "taken", "test", "value"], laboratory)):
    with open(os.path.join(folder, name + ".csv"), "w", newline="") as file: csv.writer(file, lineterminator="\n").writerows([head] + rows)

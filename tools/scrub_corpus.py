#!/usr/bin/env python3
"""Text to train the tagger on (tools/scrub_train.c): the project's own sentences, filled from its own lists and from made-up words.

usage: scrub_corpus.py train|held COUNT SEED > FILE

Records end with 0x1e. What is to be found stands between 0x01 and a letter, and 0x02: P person, L place, S street, Z post code, G organisation
(these the tagger learns), D date, A age, C phone, E e-mail, U web, I number (these the patterns find; the tagger sees them as ordinary).
Every seventh sentence of a language is held back for measuring. The same arguments give the same bytes."""
import os
import random
import sys
from scrub_templates import TEMPLATES

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'share', 'scrub')
LANGUAGES = ('en', 'es', 'de', 'fr')


def read(name):
    groups = {}
    for line in open(os.path.join(HERE, name + '.txt'), encoding='utf-8'):
        if ':' in line and not line.startswith('#'):
            key, words = line.split(':', 1)
            groups.setdefault(key, []).extend(w.replace('_', ' ') for w in words.split())
    return groups


GIVEN, SURNAME, PLACE, WORD, CUE = read('given'), read('surnames'), read('places'), read('words'), read('cues')
STATES = PLACE['region en'][:50]
for lang in LANGUAGES: WORD[lang] += WORD['life ' + lang] + WORD['more ' + lang]
WORD['en'] += [w for k, v in CUE.items() if k.startswith('cue') and k != 'cue joint' for w in v if w.isascii() and w.isalpha()]
NAMES = {w for g in (GIVEN, SURNAME, PLACE) for k, v in g.items() if k != 'nick' for w in v}
START = ['B', 'Br', 'C', 'Ch', 'D', 'Dr', 'F', 'G', 'Gr', 'H', 'J', 'K', 'Kl', 'Kr', 'L', 'M', 'N', 'P', 'Pr', 'R', 'S', 'Sch', 'Sh', 'St', 'Sz', 'T', 'Th', 'Tr', 'V', 'W', 'Y', 'Z',
         'A', 'E', 'I', 'O', 'U', 'Al', 'An', 'El', 'Is', 'Ol', 'Ur', 'Á', 'É', 'Ö', 'Ø', 'Š', 'Ž', 'Č', 'Ł', 'Ñ', 'Þ']
VOWEL = ['a', 'e', 'i', 'o', 'u', 'a', 'e', 'i', 'o', 'ai', 'au', 'ei', 'ie', 'oo', 'ou', 'ä', 'ö', 'ü', 'á', 'é', 'í', 'ó', 'ú', 'å', 'ø', 'y']
MIDDLE = ['b', 'bb', 'd', 'f', 'g', 'k', 'l', 'll', 'ln', 'm', 'mm', 'n', 'nd', 'ng', 'nn', 'nt', 'p', 'r', 'rd', 'rg', 'rl', 'rn', 'rt', 's', 'ss', 'st', 't', 'tt', 'v', 'z', 'č', 'š', 'j', 'h']
NAME_END = ['', 'a', 'o', 'e', 'n', 's', 'r', 'sen', 'son', 'sson', 'ov', 'ova', 'ev', 'eva', 'ez', 'es', 'ić', 'ič', 'ski', 'ska', 'sky', 'ský', 'vich', 'man', 'mann', 'er', 'ová', 'nen', 'la',
            'dóttir', 'ini', 'elli', 'etti', 'ucci', 'aro', 'ella', 'etta', 'eau', 'ard', 'ier', 'elle', 'ine', 'ita', 'ito', 'ira', 'yama', 'moto', 'mura', 'aki', 'oglu', 'ian', 'yan', 'ko', 'enko', 'uk',
            'y', 'ley', 'ton', 'ford', 'well', 'worth', 'field', 'berg', 'stein', 'bauer', 'meyer', 'huber', 'os', 'is', 'poulos', 'idis', 'escu', 'us', 'as', 'im', 'el', 'ah', 'een', 'stra', 'sma', 'inga']
TOWN_END = ['ville', 'burg', 'berg', 'town', 'ton', 'ham', 'ford', 'field', 'bury', 'by', 'mouth', 'port', 'land', 'wood', 'dale', 'stadt', 'dorf', 'hausen', 'heim', 'bach', 'kirchen', 'feld', 'wald', 'hofen',
            'stad', 'sted', 'vik', 'fjord', 'holm', 'ås', 'köping', 'lund', 'ow', 'ów', 'ice', 'ín', 'ec', 'sk', 'grad', 'ovo', 'illa', 'eda', 'anca', 'osa', 'ona', 'ano', 'ano', 'igny', 'ac', 'ay', 'ières', 'ence', 'y',
            'kylä', 'järvi', 'niemi', 'la', 'vere', 'ste', 'gem', 'dijk', 'hoven', 'drecht', 'endo', 'ente', 'ia', 'os', 'ra', 'háza', 'falva', 'só', 'hreppur', 'eyri', 'nes']
STREET_STEM = ['Oak', 'Maple', 'Main', 'Church', 'Mill', 'Station', 'High', 'Park', 'Victoria', 'Elm', 'Cedar', 'Pine', 'Lake', 'Sunset', 'River', 'Spring', 'Ridge', 'Meadow', 'Forest', 'Highland', 'King', 'Queen', 'Bridge',
               'Market', 'Union', 'Garden', 'Chestnut', 'Franklin', 'Prospect', 'Grove', 'North', 'South', 'West', 'East', 'Old Mill', 'Cherry Tree', 'First', 'Second', 'Third', '2nd', '5th', '42nd', 'Martin Luther King']
DE_STEM = ['Haupt', 'Bahnhof', 'Schul', 'Garten', 'Berg', 'Kirch', 'Linden', 'Wald', 'Ring', 'Mühlen', 'Rosen', 'Goethe', 'Schiller', 'Mozart', 'Birken', 'Wiesen', 'Burg', 'Markt', 'Post', 'Brunnen', 'Friedrich', 'Kaiser', 'Park', 'Eichen']
NOUN_HEAD = ['Wartung', 'Haushalt', 'Betrieb', 'Kosten', 'Verwaltung', 'Versorgung', 'Gesundheit', 'Arbeit', 'Umwelt', 'Verkehr', 'Sicherheit', 'Druck', 'Wasser', 'Strom', 'Daten', 'Netz', 'Labor', 'Blut', 'Herz', 'Lungen', 'Leber',
             'Nieren', 'Wirtschaft', 'Bildung', 'Forschung', 'Entwicklung', 'Produktion', 'Lager', 'Liefer', 'Kunden', 'Rechnung', 'Vertrag', 'Steuer', 'Miet', 'Bau', 'Holz', 'Metall', 'Motor', 'Kühl', 'Heiz', 'Luft', 'Licht']
NOUN_TAIL = ['sarbeiten', 'splan', 'skosten', 'ung', 'system', 'gerät', 'stelle', 'anlage', 'werte', 'wert', 'bericht', 'prüfung', 'messung', 'leistung', 'verlauf', 'funktion', 'erkrankung', 'störung', 'heit', 'keit', 'schaft', 'tum',
             'menge', 'zeit', 'raum', 'fläche', 'zahl', 'abteilung', 'technik', 'mittel', 'teil', 'satz', 'punkt', 'bereich', 'verfahren', 'anteil', 'grenze', 'verlust', 'gewinn', 'kontrolle', 'möglichkeit']
ORG_END = ['Inc', 'Inc.', 'LLC', 'Ltd', 'Ltd.', 'Corp.', 'Group', 'Partners', 'Holdings', 'Technologies', 'Systems', 'Consulting', 'Analytics', 'Solutions', 'Insurance', 'Bank', 'Foundation', 'Associates', 'Labs', 'Media', 'Records', 'GmbH', 'AG',
           'S.A.', 'S.L.', 'SARL', 'SAS', 'and Sons', '& Co.', 'Industries', 'Energy', 'Capital', 'Pharma', 'Logistics', 'Orchestra']
ORG_CARE = ['{} General Hospital', '{} Medical Center', 'St. {} Hospital', '{} University', 'University of {}', '{} Health', '{} Clinic', '{} Primary School', 'Bank of {}', '{} City Council', 'Mercy Hospital', 'Sunrise Nursing Home']
ORG_ES = ['Hospital {}', 'Hospital Universitario de {}', 'Clínica {}', 'Universidad de {}', 'Banco {}', 'Instituto {}', 'Ayuntamiento de {}']
ORG_DE = ['Klinikum {}', 'Universitätsklinikum {}', 'Krankenhaus {}', 'Universität {}', 'Sparkasse {}', 'Stadtwerke {}', 'Praxis {}']
ORG_FR = ['Hôpital {}', 'CHU de {}', 'Clinique {}', 'Université de {}', 'Lycée {}', 'Mairie de {}', 'Banque {}']
TITLES = {'en': ['Dr. ', 'Dr ', 'Mr. ', 'Mr ', 'Mrs. ', 'Mrs ', 'Ms. ', 'Ms ', 'Miss ', 'Prof. ', 'Professor ', 'Rev. ', 'Sgt. ', 'Captain ', 'Sir ', 'mr. ', 'dr. '], 'es': ['Sr. ', 'Sra. ', 'Dr. ', 'Dra. ', 'Don ', 'Doña ', 'D. ', 'Dña. ', 'Srta. '],
          'de': ['Herr ', 'Herrn ', 'Frau ', 'Dr. ', 'Prof. ', 'Herr Dr. ', 'Frau Dr. ', 'Prof. Dr. ', 'Dr. med. '], 'fr': ['M. ', 'Mme ', 'Mlle ', 'Dr ', 'Docteur ', 'Monsieur ', 'Madame ', 'Pr ', 'Maître ']}
CAPITAL = {'en': 'Truth Beauty Freedom Courage Honor Nature Science Energy Security Windows Android Bluetooth Internet Facebook Google Twitter Netflix Toyota Honda Boeing Lipitor Zoloft Prozac Advil Metoprolol Amoxicillin Warfarin Heparin Insulin '
           'Olympics Congress Parliament Senate Bible Kingdom Empire Renaissance Metallica Hobbit Zombie Princess Queen Prince Emperor Catholic Jewish Muslim Democrat Republican Republicans Christmas Halloween Ramadan Monday Friday '
           'Adventure Comedy Mystery Family Summary Overview Introduction Conclusion Abstract Results Methods Discussion Background Objective Skills Experience Education Personal Website Details Customer Manager Director Engineer '
           'Technician Assistant Consultant Specialist Coordinator Supervisor Analyst Librarian Operator Inspector Nurse Accountant Designer Attendant Scientist Clerk Controller Cleaner'.split(),
           'es': 'Verdad Libertad Ciencia Energía Seguridad Ministerio Gobierno Congreso Constitución Navidad Internet Facebook Google Resumen Introducción Resultados Objetivo Experiencia Formación Ibuprofeno Omeprazol Ley Estado Director Ingeniero Técnico'.split(),
           'de': 'Wahrheit Freiheit Wissenschaft Energie Sicherheit Ministerium Bundestag Internet Facebook Google Zusammenfassung Einleitung Ergebnisse Ziel Erfahrung Ausbildung Ibuprofen Ramipril Metformin Direktor Ingenieur Techniker'.split(),
           'fr': 'Vérité Liberté Science Énergie Sécurité Ministère Gouvernement Assemblée Internet Facebook Google Résumé Introduction Résultats Objectif Expérience Formation Doliprane Loi État Directeur Ingénieur Technicien'.split()}
VERBS = {'en': 'said called told asked is was will has can had gave wrote saw met knows likes lives works began moved went came left married works shouted thinks says became plays played sings listens listed points employs explained smiled agreed arrived returned'.split(),
         'es': 'dijo llamó es fue tiene vive trabaja llegó salió escribió vio conoce está será volvió empezó canta explicó'.split(),
         'de': 'sagte rief ist war hat wohnt lebt arbeitet kam ging schrieb sah kennt wird blieb begann singt erklärte'.split(),
         'fr': 'dit appela est était a vit travaille arriva partit écrivit vit connaît sera resta commença chante expliqua'.split()}
DRUG_END = ['pril', 'olol', 'statin', 'mab', 'cillin', 'prazole', 'azole', 'mycin', 'floxacin', 'sartan', 'dipine', 'gliptin', 'formin', 'semide', 'oxetine', 'triptan', 'profen', 'pam', 'lam', 'vir', 'ine', 'one', 'ol', 'ide', 'in', 'ex', 'ium', 'izol', 'amol',
            'ina', 'ida', 'ona', 'ato', 'an']
PEOPLE = {'en': 'brother sister wife husband son daughter mother father uncle aunt niece nephew cousin grandmother friend neighbour boss colleague guide coach teacher driver owner tenant landlord witness executor guardian carer nurse surgeon '
          'resident writer singer actor producer player director editor lawyer officer student songwriter commenter manager engineer partner client kid child girlfriend boyfriend fiancée roommate'.split(),
          'es': 'hermano hermana esposa marido hijo hija madre padre tío tía sobrino prima abuela amigo vecina jefe guía profesor conductor testigo enfermera cirujano albañil cantante actor director abogado cliente'.split(),
          'de': 'Bruder Schwester Frau Mann Sohn Tochter Mutter Vater Onkel Tante Neffe Nichte Oma Freund Nachbarin Chef Lehrer Fahrer Zeuge Assistenzärztin Oberarzt Sänger Schauspieler Anwalt Kundin Betreuer'.split(),
          'fr': 'frère sœur femme mari fils fille mère père oncle tante neveu cousine ami voisine patron guide professeur conducteur témoin infirmière chirurgien chanteur acteur avocat client tuteur'.split()}
ENDS = {'en': ['s', 'ing', 'ed', 'er', 'ers', 'ly', 'ness', 'ment', 'tion', 'ful', 'less', 'able', 'ist', 'ists', 'ive', 'ity', 'ship', 'ships', 'al'], 'es': ['s', 'es', 'mente', 'ción', 'ando', 'ado', 'ada', 'idad', 'ista'],
        'de': ['en', 'er', 'e', 'te', 'ten', 'lich', 'ig', 'isch', 'los', 'bar'], 'fr': ['s', 'es', 'ment', 'tion', 'ant', 'é', 'ée', 'ité', 'iste', 'eur']}
COUNTRIES = [r for k in ('region en', 'region es', 'region de', 'region fr') for r in PLACE[k]]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, words):
        return words[self.r.randrange(len(words))]

    def chance(self, p):
        return self.r.random() < p

    def made_up(self, ends):
        r = self.r
        stem = self.pick(START)
        if stem[-1].lower() not in 'aeiouáéöø':
            stem += self.pick(VOWEL)
        for _ in range(r.choice((0, 1, 1, 2))):
            stem += self.pick(MIDDLE) + self.pick(VOWEL)
        end = self.pick(ends)
        if end and end[0] in 'aeiouáéíóåä' and stem[-1] in 'aeiouáéíóúäöüåøy':
            stem += self.pick(MIDDLE)
        elif not end:
            stem += self.pick(MIDDLE)
        word = stem + end
        return word if len(word) > 2 and word not in NAMES else self.made_up(ends)

    def given(self, lang):
        if self.chance(0.3):
            return self.made_up(NAME_END[:40] if self.chance(0.5) else ['', 'a', 'o', 'e', 'n', 's', 'us', 'ina', 'ita', 'el', 'is', 'ia', 'ka', 'ko', 'na', 'ne', 'ri', 'mi', 'bert', 'fried', 'mir', 'slav', 'wen', 'lyn', 'ette'])
        if self.chance(0.05):
            return self.pick(GIVEN['nick']).split('=')[0]
        key = self.pick('fm') + ' ' + (lang if self.chance(0.6) else self.pick(('xx', 'xx', 'en', 'es', 'de', 'fr')))
        name = self.pick(GIVEN[key])
        return name + '-' + self.pick(GIVEN[key]) if self.chance(0.02) else name

    def surname(self, lang):
        if self.chance(0.35):
            name = self.made_up(NAME_END)
        else:
            name = self.pick(SURNAME[lang if self.chance(0.6) else self.pick(('xx', 'xx', 'en', 'es', 'de', 'fr'))])
        roll = self.r.random()
        if roll < 0.03: return name + '-' + self.pick(SURNAME[lang])
        if roll < 0.05: return self.pick(('van ', 'van der ', 'van den ', 'de ', 'von ', 'De ', 'Le ', 'La ', 'Di ', 'Da ', 'de la ', 'del ', 'dos ', 'El ', 'Al-', 'Ben ', 'Mc', 'Mac', "O'", "D'", 'St. ')) + name
        if roll < 0.10 and lang == 'es': return name + ' ' + self.pick(SURNAME['es'])
        return name

    def person(self, lang):
        g, s, roll = self.given(lang), self.surname(lang), self.r.random()
        if lang == 'es' and self.chance(0.4): s += ' ' + self.pick(SURNAME['es'])
        if roll < 0.60: return g + ' ' + s
        if roll < 0.68: return g + ' ' + self.pick('ABCDEFGHIJKLMNOPRSTVWZ') + '. ' + s
        if roll < 0.71: return g + ' ' + self.pick('ABCDEFGHJKLMNPRSTVWZ') + ' ' + s
        if roll < 0.75: return self.pick('ABCDEFGHIJKLMNOPRSTVWZ') + '. ' + s
        if roll < 0.77: return self.pick('ABCDEFGHJKLM') + '.' + self.pick('ABCDEFGHJKLM') + '. ' + s
        if roll < 0.80: return s + ', ' + g
        if roll < 0.83: return g + ' ' + self.given(lang) + ' ' + s
        if roll < 0.85: return g + ' "' + self.given(lang) + '" ' + s
        if roll < 0.86: return g + ' ' + s + self.pick((' Jr.', ' Sr.', ' III', ' II'))
        if roll < 0.93: return g
        return s

    def town(self, lang):
        if self.chance(0.4):
            name = self.made_up(TOWN_END)
            if self.chance(0.12): name = self.pick(('North ', 'South ', 'East ', 'West ', 'New ', 'Port ', 'Lake ', 'San ', 'Santa ', 'Saint-', 'St. ', 'Bad ', 'Villa ', 'Los ', 'El ', 'Le ', 'La ')) + name
            elif self.chance(0.05): name += self.pick((' Springs', ' Heights', ' Beach', ' Falls', ' Hills', ' 2', ' am Rhein', ' del Mar', ' sur Mer', '-sur-Loire'))
            return name
        return self.pick(PLACE['city ' + (lang if self.chance(0.6) else self.pick(('xx', 'xx', 'en', 'es', 'de', 'fr')))])

    def region(self, lang):
        roll = self.r.random()
        if lang == 'en' and roll < 0.3: return self.pick(STATES)
        if lang == 'en' and roll < 0.45: return self.pick(PLACE['code'])
        if lang != 'en' and roll < 0.6: return self.pick(PLACE['region ' + lang])
        return self.pick(COUNTRIES)

    def street_name(self, lang):
        r = self.r
        style = lang if self.chance(0.75) else self.pick(('en', 'es', 'de', 'fr', 'xx'))
        if style == 'en':
            return self.pick((self.pick(STREET_STEM), self.surname('en'), self.made_up(NAME_END), self.given('en'))) + ' ' + self.pick(PLACE['street after'][:40])
        if style == 'es':
            return self.pick(('Calle', 'C/', 'Avda.', 'Avenida', 'Plaza', 'Paseo', 'Camino', 'Calle de', 'Calle de la', 'Calle del', 'calle')) + ' ' + self.pick((self.surname('es'), self.pick(WORD['es'][-200:]).capitalize(), 'Mayor', 'Real', 'Sol', 'Constitución', self.person('es')))
        if style == 'fr':
            return self.pick(('rue', 'Rue', 'avenue', 'Avenue', 'boulevard', 'place', 'chemin', 'allée', 'impasse', 'rue de la', 'rue du', 'quai')) + ' ' + self.pick((self.person('fr'), self.pick(WORD['fr'][-200:]).capitalize(), 'Gambetta', 'République', 'Moulin', 'Gare', self.surname('fr')))
        if style == 'de':
            stem = self.pick(DE_STEM) if self.chance(0.6) else self.surname('de').replace(' ', '')
            return stem + self.pick(('straße', 'str.', 'strasse', 'weg', 'gasse', 'platz', 'allee', 'ring')) if self.chance(0.85) else self.pick(('Am ', 'An der ', 'Zum ', 'Im ')) + self.pick(DE_STEM) + self.pick(('bach', 'berg', 'hof', 'tor'))
        return self.pick((self.made_up(['gatan', 'vägen', 'gata', 'veien', 'vej', 'gade', 'katu', 'tie', 'kuja', 'straat', 'laan', 'plein', 'weg', 'stræti', 'ova', 'ská']),
                          self.pick(('Rua ', 'Rua do ', 'Rua da ', 'Via ', 'Viale ', 'Piazza ', 'ul. ', 'Avenida ', 'Corso ', 'Travessa ')) + self.made_up(NAME_END), self.made_up(NAME_END) + self.pick((' utca', ' u.', ' út', ' tér', ' Street', ' Road'))))

    def number(self):
        return self.pick((str(self.r.randrange(1, 200)), str(self.r.randrange(1, 10000)), str(self.r.randrange(1, 100000)), str(self.r.randrange(1, 200)) + self.pick('abcdAB')))

    def street(self, lang):
        r, name = self.r, self.street_name(lang)
        roll = r.random()
        if lang == 'en' or (lang == 'fr' and roll < 0.8) or roll < 0.1: text = self.number() + (', ' if lang == 'fr' and self.chance(0.4) else ' ') + name
        else: text = name + (', ' if lang == 'es' and self.chance(0.5) else ' ') + self.number()
        if self.chance(0.08): text = str(r.randrange(10, 99999)) + ' ' + text
        if self.chance(0.06): text += ' ' + self.number()
        if self.chance(0.22):
            unit = {'en': ('Apt. %d', 'Apt %d', 'Suite %d', 'Unit %d', 'Flat %d', 'Floor %d'), 'es': ('piso %d', '%dº B', 'bajo', 'puerta %d', '%dºA'), 'de': ('Wohnung %d', '%d. Stock', '%d. OG'), 'fr': ('Appt. %d', 'bâtiment B', '%de étage', 'Apt %d')}[lang]
            u = self.pick(unit)
            text += self.pick((', ', ' ', '\n' if lang == 'en' else ', ')) + (u % r.randrange(1, 999) if '%' in u else u)
        if self.chance(0.03): text = self.pick(('PO Box %d', 'P.O. Box %d', 'Postfach %d', 'Apartado %d', 'BP %d', 'PSC 04%d, Box 81', 'Unit %d Box 42', 'USS Kidd, FPO AE %d', 'USNV Adams\nFPO AP %d')) % r.randrange(10, 9999)
        return text

    def zip(self, lang):
        d = lambda n: ''.join(self.pick('0123456789') for _ in range(n))
        letters = 'ABCDEFGHJKLMNPRSTUVWXY'
        forms = [d(5), d(5), d(5) + '-' + d(4), d(4), d(4) + ' ' + self.pick(letters) + self.pick(letters), d(3) + ' ' + d(2), d(4) + '-' + d(3), d(5) + '-' + d(3), d(3),
                 self.pick(letters) + d(2) + ' ' + d(1) + self.pick(letters) + self.pick(letters), self.pick(letters) + self.pick(letters) + d(1) + ' ' + d(1) + self.pick(letters) + self.pick(letters)]
        return d(5) if lang != 'en' and self.chance(0.85) or self.chance(0.4) else self.pick(forms)

    def block(self, lang):
        p, s, l, z, rg = self.tag('P', self.person(lang)), self.tag('S', self.street(lang)), self.tag('L', self.town(lang)), self.tag('Z', self.zip(lang)), self.tag('L', self.region(lang))
        if self.chance(0.12): l = self.upper(l)
        unit = self.tag('S', self.pick(('Apt. %d', 'Suite %d', 'Unit %d', 'Floor %d', 'Apt %d')) % self.r.randrange(1, 999))
        sep = self.pick(('\n', '\n', '\n ', '\n    ', ', ', '\n> ', '\n>'))
        lines = self.pick(([p, s, l + ' ' + z], [p, s, l + ', ' + rg + ' ' + z], [s, l, rg + ' ' + z], [p, s, unit, l, rg + ' ' + z], [p, self.tag('G', self.org(lang)), s, l, rg, z], [s, z + ' ' + l], [p, s, z + ' ' + l, rg],
                          [s, unit, l, '', rg + ' ' + z], [p, '', s, ' ' + l, rg + ' ' + z], [p, l, rg]))
        return sep.join(lines)

    @staticmethod
    def upper(text):
        return text[:2] + text[2:].upper() if text.startswith('\x01') else text.upper()

    def org(self, lang):
        roll = self.r.random()
        if roll < 0.35: return self.made_up(['ia', 'ex', 'io', 'a', 'ix', 'on', 'soft', 'tech', 'data', 'net', 'ware', 'med', 'us', 'ify', 'ly', 'web', 'well', 'cap']) + (' ' + self.pick(ORG_END) if self.chance(0.5) else '')
        if roll < 0.5: return self.surname(lang) + self.pick((', ' + self.surname(lang) + ' and ' + self.surname(lang), ' and ' + self.surname(lang), ' ' + self.pick(ORG_END), '-' + self.made_up(NAME_END), ' ' + self.pick(ORG_END)))
        if roll < 0.65: return self.pick(WORD['en'][200:]).capitalize() + ' ' + self.pick(ORG_END[:30])
        if roll < 0.75: return self.pick(WORD['en'][200:]).capitalize() + ' ' + self.pick(CAPITAL['en']) + ' ' + self.pick(ORG_END[:30])
        return self.pick({'en': ORG_CARE, 'es': ORG_ES, 'de': ORG_DE, 'fr': ORG_FR}[lang]).format(self.pick((self.town(lang), self.surname(lang))))

    def date(self, lang):
        r = self.r
        y, m, d = r.randrange(1920, 2026), r.randrange(1, 13), r.randrange(1, 29)
        months = {'en': 'January February March April May June July August September October November December', 'es': 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
                  'de': 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember', 'fr': 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'}[lang].split()
        days = {'en': 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday', 'es': 'lunes martes miércoles jueves viernes sábado domingo', 'de': 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag',
                'fr': 'lundi mardi mercredi jeudi vendredi samedi dimanche'}[lang].split()
        M = months[m - 1]
        return self.pick({'en': ['%02d/%02d/%d' % (m, d, y), '%d/%d/%02d' % (m, d, y % 100), '%s %d, %d' % (M, d, y), '%d %s %d' % (d, M, y), '%s %d' % (M, d), '%s %d' % (M, y), '%dth of %s, %d' % (d, M, y), '%d-%02d-%02d' % (y, m, d),
                                 '%s %dth' % (M[:3], d), self.pick(days), '%d-%02d-%02d %02d:%02d:%02d' % (y, m, d, r.randrange(24), r.randrange(60), r.randrange(60))],
                          'es': ['%d de %s de %d' % (d, M, y), '%02d/%02d/%d' % (d, m, y), '%d de %s' % (d, M), '%02d-%02d-%d' % (d, m, y), self.pick(days)],
                          'de': ['%02d.%02d.%d' % (d, m, y), '%d. %s %d' % (d, M, y), '%d.%d.%02d' % (d, m, y % 100), '%d. %s' % (d, M), self.pick(days)],
                          'fr': ['%d %s %d' % (d, M, y), '%02d/%02d/%d' % (d, m, y), 'le 1er %s %d' % (M, y), '%d %s' % (d, M), self.pick(days)]}[lang])

    def phone(self, lang):
        d = lambda n: ''.join(self.pick('0123456789') for _ in range(n))
        e = lambda n: self.pick('23456789') + d(n - 1)
        forms = {'en': ['(%s) %s-%s' % (e(3), e(3), d(4)), '%s-%s-%s' % (e(3), e(3), d(4)), '%s.%s.%s' % (e(3), e(3), d(4)), '+1 %s %s %s' % (e(3), e(3), d(4)), '+44 20 %s %s' % (d(4), d(4)), '07%s %s' % (d(3), d(6)), '%s-%s' % (e(3), d(4)), e(10)],
                 'es': ['6%s %s %s' % (d(2), d(3), d(3)), '+34 9%s %s %s' % (d(2), d(3), d(3)), '91 %s %s %s' % (d(3), d(2), d(2)), '6' + d(8)],
                 'de': ['0%s %s' % (d(3), d(7)), '0%s/%s' % (d(2), d(7)), '+49 %s %s' % (d(3), d(7)), '0%s-%s' % (d(4), d(6)), '(0%s) %s' % (d(2), d(7))],
                 'fr': ['0%s %s %s %s %s' % (d(1), d(2), d(2), d(2), d(2)), '+33 6 %s %s %s %s' % (d(2), d(2), d(2), d(2)), '0%s.%s.%s.%s.%s' % (d(1), d(2), d(2), d(2), d(2)), '06' + d(8)]}
        return self.pick(forms[lang])

    def record(self):
        d = lambda n: ''.join(self.pick('0123456789') for _ in range(n))
        return self.pick((d(8), d(6), self.pick('ABCDEFGH') + d(7), d(3) + '-' + d(2) + '-' + d(4), d(4) + '-' + d(4), 'MR' + d(6), d(10), d(16)))

    def email(self, lang):
        return (self.pick(GIVEN['f ' + lang]).lower() + self.pick(('.', '_', '')) + self.pick(SURNAME[lang]).lower() + '@' + self.made_up(['net', 'mail', 'web']).lower() + self.pick(('.com', '.org', '.de', '.es', '.fr', '.co.uk'))).replace(' ', '')

    @staticmethod
    def tag(letter, text):
        return '\x01' + letter + text + '\x02'

    def fill(self, letter, lang):
        r = self.r
        if letter == 'P': return self.tag('P', self.person(lang))
        if letter == 'F': return self.tag('P', self.given(lang))
        if letter == 'N': return self.tag('P', self.surname(lang))
        if letter == 'T': return self.pick(TITLES[lang]) + self.tag('P', self.pick((self.surname(lang), self.given(lang) + ' ' + self.surname(lang))))
        if letter == 'L': return self.tag('L', self.town(lang))
        if letter == 'R': return self.tag('L', self.region(lang))
        if letter == 'S': return self.tag('S', self.street(lang))
        if letter == 'q': return self.tag('S', self.street_name(lang))
        if letter == 'Z': return self.tag('Z', self.zip(lang))
        if letter == 'B': return self.block(lang)
        if letter == 'G': return self.tag('G', self.org(lang))
        if letter == 'D': return self.tag('D', self.date(lang))
        if letter == 'Y': return self.tag('D', str(r.randrange(1900, 2026)))
        if letter == 'A': return self.tag('A', str(r.randrange(1, 105)))
        if letter == 'C': return self.tag('C', self.phone(lang))
        if letter == 'E': return self.tag('E', self.email(lang))
        if letter == 'U': return self.tag('U', self.pick(('https://www.', 'http://', 'www.')) + self.made_up(['net', 'web', 'shop']).lower() + self.pick(('.com', '.org/page', '.de/', '.es')))
        if letter == 'I': return self.tag('I', self.record())
        if letter == 'w': return self.word(lang)
        if letter == 'k': return self.code_word()
        if letter == 'v': return self.pick(VERBS[lang])
        if letter == 'o': return self.pick(PEOPLE[lang])
        if letter == 'd': return self.made_up(DRUG_END) if self.chance(0.7) else self.pick('Aspirin Metoprolol Lisinopril Ibuprofen Paracetamol Amoxicillin Insulin Warfarin Furosemide Enalapril Omeprazol Ramipril Metformin Simvastatin Heparin Prednisone'.split())
        if letter == 'm': return self.product()
        if letter == 'n': return self.pick([w for w in WORD['de'] if w[0].isupper()]) if self.chance(0.5) else self.pick(NOUN_HEAD) + self.pick(NOUN_TAIL)
        if letter == 'X': return self.pick(CAPITAL[lang]) if self.chance(0.5) else self.word(lang).capitalize()
        return str(r.randrange(2, 5000))

    def product(self):
        """What programs, makes and brands are called: made up, or an ordinary word with a capital."""
        roll = self.r.random()
        if roll < 0.55: return self.made_up(['ix', 'ux', 'os', 'ware', 'soft', 'db', 'ian', 'ia', 'io', 'ster', 'fix', 'on', 'um', 'ex', 'cat', 'bird', 'fox', 'd', 'ty', 'me', 'pack', 'kit', 'is', 'er', 'in', 'a', 'o', 'e'])
        if roll < 0.7: return self.pick(WORD['en']).capitalize() + self.pick(('', '', 'Base', 'Mail', 'Office', 'Hat', 'Net'))
        if roll < 0.8: return self.made_up(['ix', 'a', 'o']) + '-' + self.pick(WORD['en']).capitalize()
        return self.pick(CAPITAL['en']) if roll < 0.9 else self.code_word()

    def code_word(self):
        """What is written with capitals, digits or dots and names nobody: NULL, GtkWidget, file.txt, e.g., x86."""
        letters = 'ABCDEFGHIKLMNOPRSTUVXZ'
        return self.pick((''.join(self.pick(letters) for _ in range(self.r.randrange(2, 6))), self.pick(WORD['en']).capitalize() + self.pick(WORD['en']).capitalize(), self.pick(WORD['en']) + '.' + self.pick(('txt', 'csv', 'h', 'py', 'pdf')),
                          'e.g.', 'i.e.', self.pick(WORD['en']) + '-' + self.pick(WORD['en']), 'non-' + self.pick(WORD['en']), self.pick(letters), self.pick(WORD['en']).upper(), '(' + self.pick('abcde') + ')', self.pick(WORD['en']) + '_' + self.pick(WORD['en']), '-' + self.pick('abcdfT')))

    def word(self, lang):
        """An ordinary word in lower case: of the list, with an ending, or one that no list knows."""
        roll = self.r.random()
        if roll < 0.6: return self.pick(WORD[lang]).lower()
        if roll < 0.85: return self.pick(WORD[lang]).lower() + self.pick(ENDS[lang])
        return self.made_up(ENDS[lang]).lower()

    def sentence(self, lang, template):
        out, i = [], 0
        while i < len(template):
            if template[i] == '{' and i + 2 < len(template) and template[i + 2] == '}':
                out.append(self.fill(template[i + 1], lang))
                i += 3
            else:
                out.append(template[i])
                i += 1
        return ''.join(out).replace('\\n', '\n')

    def prose(self, lang):
        """Ordinary words in any order: what stands in lower case, or opens a sentence, is no name by itself."""
        out = []
        for _ in range(self.r.randrange(1, 4)):
            words = [self.pick(WORD[lang]) if self.chance(0.7) else self.word(lang) for _ in range(self.r.randrange(4, 16))]
            if lang != 'de': words = [w.lower() for w in words]
            for _ in range(self.pick((0, 0, 1, 2))): words[self.r.randrange(len(words))] = self.code_word()
            if self.chance(0.15):
                at = self.r.randrange(len(words))
                words[at:at + 1] = [self.word(lang).capitalize(), self.word(lang).capitalize()]
            words[0] = words[0].capitalize()
            if self.chance(0.2): words[self.r.randrange(len(words))] += ','
            out.append(' '.join(words) + self.pick('...?!'))
        return ' '.join(out)

    def heading(self, lang):
        words = [self.pick(WORD[lang]).capitalize() if self.chance(0.7) else self.pick(CAPITAL[lang]) for _ in range(self.r.randrange(1, 6))]
        text = ' '.join(words)
        return text.upper() + ':' if self.chance(0.4) else text + self.pick(('', ':', '\n', '.'))

    def noisy(self, text):
        roll = self.r.random()
        def cased(f):
            out, i = [], 0
            while i < len(text):
                if text[i] == '\x01': out.append(text[i:i + 2]); i += 2
                else: out.append(f(text[i])); i += 1
            return ''.join(out)
        if roll < 0.03: return cased(lambda c: c.lower())
        if roll < 0.06: return cased(lambda c: c.upper() if len(c.upper()) == 1 else c)
        if roll < 0.10: return text.replace('. ', '.', 1)
        if roll < 0.13: return text.rstrip('.')
        return text


def main():
    part, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    m = Maker(seed)
    lines = {}
    for lang in LANGUAGES:
        every = [t for t in TEMPLATES[lang].strip().split('\n') if t]
        lines[lang] = [t for i, t in enumerate(every) if (i % 7 == 3) == (part == 'held')]
    out = sys.stdout.buffer
    for _ in range(count):
        lang = m.pick(('en', 'en', 'en', 'es', 'de', 'fr'))
        roll = m.r.random()
        if roll < 0.13: text = m.prose(lang)
        elif roll < 0.17: text = m.heading(lang)
        else:
            parts = [m.sentence(lang, m.pick(lines[lang])) for _ in range(m.pick((1, 1, 1, 2, 3)))]
            if m.chance(0.1): parts.insert(m.r.randrange(len(parts) + 1), m.prose(lang))
            text = parts[0]
            for p in parts[1:]: text += m.pick((' ', ' ', '\n')) + p
        out.write(m.noisy(text).encode() + b'\x1e')


main()

"""Sentences with places for names, addresses and numbers, by language: what tools/scrub_corpus.py fills. Written for this project.

{P} a person as a text names one, {F} a given name, {N} a surname, {T} a title and a name, {L} a town, {R} a state or country, {S} a street address,
{Z} a post code, {B} an address over several lines, {G} an organisation, {D} a date, {Y} a year, {A} an age, {C} a phone number, {E} e-mail,
{U} a web address, {I} a record number, {w} an ordinary word, {X} a capitalised word that names nobody, {K} a number, {v} a verb, {o} what a person is, {n} a German noun, {d} a drug, {m} a product."""
import scrub_templates_more as more

EN = """
{T} was seen in clinic on {D} for a routine {w}.
Pt is a {A} y/o {w} admitted on {D} with chest pain. PCP: {T}, phone {C}.
Patient {P}, DOB {D}, MRN {I}, presents with shortness of breath.
{P} is a {A}-year-old woman who lives in {L} with her husband {F}.
The patient's daughter, {F}, called on {D} to ask about the results.
Spoke with {P} (wife) at {C}. She will bring him in on {D}.
Discharged home to {S}, {L}, {R} {Z} in the care of her son {F}.
Referred by {T} of {G} for evaluation of {w}.
Attending: {P}, MD. Resident: {P}, MD. Dictated {D}.
Electronically signed by {P}, RN, {D}
cc: {T}, {G}, {L}
Assessed by {N}. Plan discussed with {F} and her mother.
Mr {N} denies fever, chills, nausea or vomiting.
Mrs. {N}'s blood pressure was 142/88 and her pulse was 76.
Dr {N} reviewed the scan and agreed with the plan.
Per {T}, start Lisinopril 10 mg daily and recheck in {K} weeks.
HPI: {N} is a {A} yo male with a history of diabetes and hypertension who fell at home.
SOCIAL HISTORY: Lives with wife {F} in {L}. Retired teacher. Denies tobacco.
FAMILY HISTORY: Mother {F} died at {A} of breast cancer. Brother {F} has Parkinson's disease.
Emergency contact: {P}, {C}
Next of kin: {P} (sister), {S}, {L}
Pharmacy: {G}, {S}, {L} {C}
Name: {P} DOB: {D} Sex: F MRN: {I}
Patient Name: {P}
Physician: {P}
Surgeon: {T}
Nurse {N} administered the second dose at 14:30.
Thank you for referring {P} to our clinic.
I had the pleasure of seeing {P} in consultation on {D}.
{P} was transferred from {G} in {L} to our unit.
She was born in {L} and raised in {R}.
He moved to {L} after the war and worked at {G}.
He was born in {Y} in {L}, {R}.
Dear {T},
Dear {F},
Hi {F},
Hello {F}, thanks for getting back to me.
Hey {F}! Are you coming to {L} on {D}?
Good morning {T}, your order {I} has shipped.
Best regards,\n{P}
Sincerely,\n{P}\n{G}\n{C}
Kind regards, {F}
Thanks, {F}
Yours truly,\n{T}\n{S}\n{L}, {R} {Z}
From: {P} <{E}>
To: {P} <{E}>; {P} <{E}>
Subject: meeting with {P} about the {w}
On {D}, {P} wrote:
> {P} wrote that the {w} was not {w}.
I am writing on behalf of my mother, {P}, who lives at {S}, {L}.
Please send the invoice to {P}, {S}, {L}, {R} {Z}.
Ship to:\n{B}
Deliver it to {S} in {L} before noon, please.
Our new office is at {S}, {L}.
You can find us at {S}.
I live at {S} and my neighbour {P} lives across the road.
The package for {P} was left at {S}.
Can you change my address to {S}, {L} {Z}?
We are moving from {S} to {S} next month.
{B}
Mailing address:\n{B}
Address: {S}, {L}, {R} {Z}
{P}\n{S}\n{L}, {R} {Z}
{P}\n{G}\n{S}\n{L} {Z}
Applicant: {P}\nAddress: {S}\nCity: {L}\nState: {R}\nZip: {Z}
City: {L}
Last name: {N}
First name: {F}
Surname: {N}, Given name: {F}
Full name? {P}.
Your name please? It's {P}.
My name's {F} and I need help with my account.
This is {P} calling about the {w}.
You can call me {F}.
I'm {F}.
I am {P}, the owner of the account.
it's {P} here, please call me back on {C}
People know me as {F}.
Who is {P}?
Do you know {P}?
Where is {F} today?
Ask {F} about it.
Tell {F} that {F} is waiting.
Is {P} available?
Could I talk to {P}?
Please connect me with {T}.
May I speak with {P}, please?
{F}, could you forward this to {P}?
{F} said hello.
{F} and {F} got married in {L}.
{F}, {F} and {F} went to {L} together.
{P}, {P}, and {P} were elected to the board.
The authors are {P}, {P} and {P}.
"I never said that," {P} told reporters.
"We are ready," said {P}.
According to {P}, the project will be finished in {Y}.
{P} was appointed chief executive of {G} in {Y}.
{P}, {A}, of {L}, was arrested on {D}.
{P}, who joined {G} in {Y}, will retire this summer.
Police identified the driver as {P}, {A}, from {L}.
The court heard that {N} had visited {L} twice.
Judge {N} dismissed the case against {G}.
{N} won the match against {N} in straight sets.
The {N} family has lived in {L} for generations.
A book by {P} was published in {Y}.
The novel by {N} was first printed in {L}.
Directed by {P}, starring {P} and {P}.
Written and produced by {P}
Photo: {P}
Music by {P}
{P}'s latest album is better than the one before.
I love everything {N} ever wrote.
Have you read the new {N} biography?
He is a big {N} fan.
The early {N} records are the best.
The works of {P} are on show in {L}.
She studied with {P} at {G} in {L}.
My uncle {F} lives in {R}.
My grandmother was named {P}.
Her brother {F} and her cousin {P} came too.
We called our son {F}.
They named the baby {F}.
His wife is called {F}.
Formerly known as {P}.
Née {N}
Her maiden name was {N}.
the ex-singer {P} was there too
Add {P} to the list of authorised users.
Remove {P} from my policy.
Change the name on the card to {P}.
Transfer 500 dollars to {P}, account {I}.
The account is registered under {P}.
It should be under the name {N}.
The beneficiary is my daughter {P}.
The guardian of the child is {P}.
Policy holder: {P}, policy number {I}
Insured: {P}
Witness: {P}
Signed: {P}
Approved by {P} on {D}
Interviewer: {F}
{F}: How are you today?
{F}: Fine. And you, {F}?
{N}: I object.
Agent: How may I help? Customer: my name is {P}
Q: Where do you live? A: In {L}.
User: {P}
Bot: What is your address? User: {S}
What is your surname? {N}
Where were you born? {L}
I come from {L}.
I live in {L}.
I was born in {L} and moved to {R} in {Y}.
We flew from {L} to {L}.
The train to {L} leaves at nine.
The flight from {R} was late.
Greetings from {L}!
We spent two weeks in {R} last summer.
{L} is beautiful in the spring.
{R} has a new government.
{L} was quieter than we expected.
The mayor of {L} opened the bridge.
The {L} office will be closed on {D}.
The University of {L} announced a new course.
Southern {R} had heavy rain.
the people of {R} voted in {Y}
Leaders of {R} and {R} met in {L}.
A company based in {L} bought {G}.
{G} is a firm with offices in {L} and {L}.
{G} announced its results for {Y}.
I work at {G}.
She used to be an engineer at {G}.
He left {G} in {Y} to join {G}.
{G} and {G} are merging.
{P} from {G} will give a talk.
{P} of {G} joined the panel with {P} of {G}.
Turn left on {S} and stop at the corner.
The shop is on the corner of {q} and {q}.
The parade goes along {q}.
She lives on {q}.
A fire broke out on {q} in {L}.
Meet me at {S} at 8.
The bus stops at {S}.
Pick me up at {S}, {L}.
My postcode is {Z}.
Zip code {Z}
ZIP {Z}
I live in {L}, {Z}.
Based in {L} {Z}, we ship anywhere.
Contact {P} at {C} or {E}.
{P}\nTel: {C}\nMobile: {C}\nFax: {C}
{P} - {G} - {C}
My phone is {C} and my email is {E}.
follow me at {U}
See {U} for details.
Our records show that {P} (member {I}) called on {D}.
the order of {F} {N} was cancelled
Visit by {P} on {D}: wound clean and dry.
{P} has been a customer since {Y}.
The {w} was {w} because the {w} of the {w} was {w}.
After {w}, the {w} {w} again and the {w} {w} at a {w} rate.
The {w} {w} was switched off.
There is no {w} in the {w}.
It is {w} that the {w} should be {w}.
Please check the {w} before you open the {w}.
What are the opening hours?
How do I reset my password?
I would like to cancel my subscription.
Where can I find my statement?
Can you send me a new card?
I have a question about the last bill.
Why was I charged twice?
The {X} is a common {w}.
He has a history of Crohn's disease and Hodgkin lymphoma.
She takes Tylenol, Metformin and {X} daily.
No Murphy's sign. Babinski negative. Glasgow Coma Scale 15.
The Foley catheter was removed. A Holter monitor was placed.
HISTORY OF PRESENT ILLNESS: The patient is a {A} year old.
PAST MEDICAL HISTORY: Diabetes. Hypertension. Asthma.
ASSESSMENT AND PLAN: Continue current medications.
REVIEW OF SYSTEMS: Negative except as noted above.
MEDICATIONS: Aspirin 81 mg, Lipitor 20 mg, Lasix 40 mg.
ALLERGIES: Penicillin, Sulfa
Vital Signs: BP 120/80, HR 72, RR 16, Temp 98.6, SpO2 98%
CT Head without contrast: No acute intracranial abnormality.
MRI Lumbar Spine shows degenerative changes at L4-L5.
The Board of Directors met in the Grand Hall.
The Department of Health issued a Notice of Violation.
The Treaty of Peace was signed after the Second World War.
On Christmas Day and New Year's Eve we are closed.
The Annual Report is due before Thanksgiving.
Windows and Linux users should update Chrome.
I watched Star Trek and The Big Question on television.
The {X} {X} was released by {G}.
Title: {X} {X} {X}
Chapter Three: The {X} of the {X}
Section 4.2 of the Act applies to Schedule B.
It was Wednesday. The Internet was down.
We speak English, French, Spanish and German.
The American and British teams lost to the Italian side.
Japanese food is my favourite.
He is Catholic and she is Jewish.
A Swedish investment bank and a Norwegian company.
Capital letters such as Truth and Beauty are for poets.
The Bible and the Koran were on the shelf.
OK, I see. Yes. No. Thanks! Sorry, what?
Yes, I can do that. No problem. Sure!
Please. Thank you. Great. Excellent!
Sir, please wait. Madam, this way.
I AM VERY ANGRY ABOUT THIS!
PLEASE HELP ME NOW!!!
THIS IS {P} FROM {L}
NAME: {P}
To whom it may concern:
In this chapter we discuss the {w} of the {w}.
Figure 3 shows the {w} as a function of {w}.
Table 2: {X} {w} by {w}
Step 1. Open the {w}. Step 2. Close the {w}.
Press Enter to continue, or Escape to quit.
The King of {R} and the Queen visited the Palace.
The President of {R} met the Prime Minister in {L}.
The River Thames and Lake Michigan froze.
Mount Everest is the highest mountain.
In March and April the weather is mild.
May I come in? Will you stay? Mark my words.
Grace is important. Hope is not a plan. The bill was paid.
Rose and white wine, brown bread, black coffee.
8 to 10 years of experience required in sales and marketing.
Results: {X}, {X}, {X} and {X}
{X}: {w} {w} {w}
- {X} {w}
* {X} and {X}
{K} {w} were tested at {K} degrees.
About {K} percent of the {w} was lost in {Y}.
We sold {K} units in {L} and {K} in {L}.
{F} {v} {F}.
{P} {v} {w} {w}.
{N} {v} the {w}.
{P} {v} in {L}.
{F} {v} very {w}. You can always {w} on {w}.
{F} is so {w}.
Why is {F} so {w}?
Why did {P} {w} the {w}?
Have you ever {w} {P}?
Have you met {N} yet?
When does {F} arrive?
I {w} {P} at the {w}.
The {w} of {P} {v} {w}.
The {N} {w} was {w}.
The {P} {w} was the first {w} to {w} a million {w}.
a {N} {w} is always {w}
She {w} him {F}.
They {w} it after {P}.
{P}, the {X}, {v}: "This is {w}."
"{w}!" said {F} to {F}.
{F}: "Where have you {w}?"
{F}:"I am {F}'s {w}."
says {N} in a {w} {w}
sung by {P} in {Y}
arranged by {P}, not by {N}
a tribute to {P}, who {v} {w}
a song by former {w} {P}
between her and {F}'s {w}
Don't go, {F}!
Goodbye, {F}, and thanks for all the {w}.
{N} and {N} were {w} {w}.
our founders: {N}, {N} and {N}
There were {K} of them: {F}, {F}, {F}, {F} and {F}.
The {w} {w}, {P}, {v} {w}.
{L} {w} is {w} again.
{L} {v} {w} in the {w}.
{R} is {w} in that {w}.
In {R} they have {w} {w}.
We came back to {L} by {w}.
The ship arrived at {L} this morning from {L}.
He grew up in {L}.
originally from {L}, now living in {R}
I will be in {L} for a {w} {w}.
the {w} city {L}: {G}, {G} and {G}
as {w} as {L} in {w}
from {L} to {L} and back
{P} spent a year at {G} as the {w} to {P}, and then at {G} in {L}.
{G} is an {X} {w} company.
{G} is the {w} of our {K} {w}.
according to the {G} website
Looking to support {G} in {L} {Z}.
{G} {v} {w} in {Y}.
the {X} Act of {Y} protects {w} against {w}
{X} VII of the {X} {X} Act
{X} is a {Y} {w} film about {w} and {w}.
My favourite song is "{X} {X} {X}" by {P}.
He wrote "The {X} of {X}" in {Y}.
from {P}'s {X} {X}
see {X} {X}: {K} {X} Of The {X}
{X} of the {X}, {X} of the Year
{X}, {X} & {X}, {X} & {X}, {X}
{K}, {K}, {K}, {X}!
{K}... {K}... {K}... {w}
It is number #{K} on the list. What was #{K}?
top {K} {w} of the year
at #{K} and #{K}
{K} {w} and {K} {w} per {w}
We {w} {w} {w} for the {w}.
They {w} their {w} and {w} it {w}.
I {w} to {w} my {w} {w}.
Could you please {w} the {w} for this {w}?
Need to {w} my {w}.
{X} {w} with {K}+ years of {w} {w} and {w}.
Please {w} and {w} the {w}, {w}, {w} and {w}.
including {w}, {w} and {w}
{w} by {w}, {w} after {w}
to {w}, to {w} and to {w}
My SSN: {I}
E-mail {E} Phone {C} Fax {C}
SSN {I} MRN {I} DOB {D}
NHS number {I}, ECG normal, ATM card {I}
use the ATM with card {I} or the USB key
Phone:\n{C}\n\nE-mail:\n{E}\n\nWebsite:\n{U}\n\nAddress:\n{S}
{P}\n\n{X} {X}\n\n{X} Info:\nPhone: {C}
{P}\n{X} {w}\n{G}\n{S}
??? {P}\n??? {G}\n??? {S}\n??? {L}
>{P}\n>{G}\n>{S}\n>{L} {Z}
>> {P} wrote:
When: {D}\nWhere: {L} {X} {X}
Date: {D}\nName: {P}\nPhone: {C}
{w} {w} at {S} {w} the {w}.
{w} at {S} {S}, {L}
located at {S}. It serves {w} {w}.
the corner of {q} and {q}
on the north side of {q}
on {q} the first {K} {w}
these early {w} on {q} were {w}
Please return to {S} in {w} of {w}.
the address {w} to {S}
Send it to {P}, {B}
{P} lives at {S}, {L}
{P} gave {P} his address: {S}
our {o} {F} met us at the station in {L}
My {o} {F} and his {o} {F} live in {L}.
The {o}, {P}, signed the form on {D}.
{X} {o} {P} explained to {G}: "{w} {w}."
{o} {N} {v} {w}
top {o} {P} was detained over {w} {w}
as regular {o} {P} points out
spoke with her {o} {F} and his {o} {F}; {w} confirmed
Wound check by {T}. Dressing changed. Next visit {D}.
Apologies from {F}. Present: {F}, {F}, {F} and {F}.
Present were {P}, {P} and {P}.
{P} vs. {P}, heard in {L} on {D}
{N} v. {N}
Estate of {P}, deceased. Executor: {P}, {S}.
the tenant, {P}, left the flat at {S} on {D}
Landlord: {P}, {S}, {L} {Z}
I was in a car driven by {P} when we were hit near {S} in {L}.
gave his name as {P} but his card said {P}, born {D}
prefers to be called {F}
self-identifies as {P}
{N}, {F} is here for a {w} check.
{N} {F}, {A}, {w}
Coach {N} benched {F} after the {w}.
{F} owes me {K} dollars, {F} paid already.
Reminder: call {F} and {P}.
Ask for {F} or {F} at the desk.
tell {F} i can't make it on {D}, my number is {C}
hey {F}, can you pick up {F} from {L}?
It was {N} who {v} the {w}; {N} proved it in {Y}.
{N} et al. ({Y}) showed that {w} {w}.
({N} {Y}; {N} and {N} {Y})
Passengers: {P}, {P}, {P}.
Accepting physician {P}. Transferred from {L} via {w}.
Overnight events: none. Family meeting with {T}'s {o} {F}.
{P} rang from {C} asking to {w} her {w} to {E}.
account holder {P}
In case of my {o}'s account, we {w} to add {P} as {o}.
Let's meet {P} at {G}.
{F} ({A}) and {F} ({A}) are {w}.
{P} (born {D} in {L}) is a {w} {o}.
{P} is a {o} and {o}.
{P}, {o} of {G}, {v} {w}.
{X} {X} by {P} is {w}.
I can't believe {F} {v} that!
with {F} in {L}
for {F}, {F} and me
without {P}
about {P}
near {L}
via {L} and {L}
The {w} was inspected monthly. Replace the {w} if {w}, then {w} each {w} in {w}.
{w} converts {w} into {w} {w}. {X} absorbs mostly {w} and {w} {w}.
Whisk the eggs with sugar until pale, fold in the flour and bake.
{X} {X} {X} have changed how {w} {w} {w}.
Discharge Instructions: Resume normal diet. Avoid heavy lifting. Return to the Emergency Department if symptoms worsen.
Magnesium and Calcium were normal. Troponin negative. Normal Sinus Rhythm.
Terms and Conditions apply. See the User Guide for Installation and Safety Information.
Your Ticket has been resolved. Thank you for choosing Premium Support.
The Industrial Revolution and the Growth of Cities
Return to Work: {D}
Follow the Instructions on the Label.
Use the {X} {X} menu and click {X}.
{X} and {X} are {w}. {X} is {w}; {X} is not.
Ensure that {w} {w} is {w}. Never {w} the {w}.
She refilled {d} and {d}; recheck in {K} weeks.
Medications: {d} {K} mg daily, {d}, {d} and {d}.
{d} was stopped. Started {d} {K} mg.
Plan: continue {d}, add {d}, repeat {X} in {K} weeks.
Tolerates {d} well. Allergic to {d}.
takes {d} and {d} for {w}
My favourite months are March and June; I dislike November.
In January, May and August we are closed; April is {w}.
The {X} Testament, the {X} {X} and the {X} Stone were on display.
Wash with {X} and {X}. Do Not {X} Near {X}. Keep Out of {X}.
Pt seen. Pat. stable. Ref. {I}.
{w} {w} {w}. Then {w}, {w} and {w} {w}.
"""

ES = """
El paciente {P}, de {A} años, acude a urgencias por dolor torácico.
La paciente {P} ingresó el {D} en el {G} de {L}.
Paciente: {P}. Fecha de nacimiento: {D}. NHC: {I}
D. {P}, con DNI {I} y domicilio en {S}, {L}.
Dña. {P} vive en {S}, {Z} {L}.
Valorado por el Dr. {N}, se decide alta.
La Dra. {N} solicita analítica y radiografía.
Médico responsable: Dr. {P}
Firmado: Dra. {P}
Enfermera: {P}
Avisar a su hija {F} en el teléfono {C}.
Acompañado por su esposa, {F}.
Su hermano {P} refiere que vive en {L}.
Vive con su marido {F} en {L}.
Nació en {L} el {D}.
Nacida en {L} ({R}) en {Y}.
Antecedentes: su madre, {F}, falleció a los {A} años.
Me llamo {P} y vivo en {L}.
Mi nombre es {P}.
Soy {F}, quería preguntar por mi pedido.
Hola {F}, ¿qué tal estás?
Hola, soy {P}.
Estimado Sr. {N}:
Estimada Sra. {N}:
Querida {F}:
Un saludo,\n{P}
Atentamente,\n{P}\n{G}\n{S}\n{Z} {L}
De: {P} <{E}>
¿Conoces a {P}?
¿Puedo hablar con {P}?
Dile a {F} que llame a {F}.
{F} y {F} se casaron en {L}.
{P}, {P} y {P} firmaron el acuerdo.
{P} nació en {L} y trabaja en {G}.
Según {P}, el proyecto terminará en {Y}.
«No es verdad», dijo {P}.
El alcalde de {L}, {P}, inauguró el puente.
La novela de {P} se publicó en {Y}.
El presidente de {R} viajó a {L}.
El tren a {L} sale a las nueve.
Somos de {L}, {R}.
Vengo de {L}.
Viajamos de {L} a {L} el {D}.
{L} es una ciudad preciosa.
Dirección: {S}, {Z} {L}
Domicilio: {S}
Mi dirección es {S}, {L}.
Envíe el paquete a {P}, {S}, {Z} {L}.
Vivo en {S}.
La tienda está en {S}.
La oficina está en la {q}.
{P}\n{S}\n{Z} {L}
Nombre: {P}\nDirección: {S}\nLocalidad: {L}\nC.P.: {Z}
Apellidos: {N} {N}
Nombre: {F}
Código postal: {Z}
Mi código postal es {Z}.
Teléfono: {C}
Mi correo es {E} y mi móvil {C}.
Titular: {P}, IBAN {I}
La cuenta está a nombre de {P}.
Quiero añadir a {P} como beneficiario.
Contacto: {P}, {C}
Trabajo en {G}.
{G} tiene su sede en {L}.
Se llama {F} y tiene {A} años.
Mi abuelo se llamaba {P}.
La familia {N} vive en {L}.
El señor {N} llegó tarde.
La señora {N} no ha venido.
Doña {F} y don {F} son vecinos.
{F}: ¿Quién eres?
{F}: Soy la hija de {F}.
Cliente: {P}
Remitido por {T}.
{T} informó a la familia.
Calle principal, número {K}.
El {w} de la {w} es {w}.
La {w} no {w} porque el {w} está {w}.
No hay {w} en el {w}.
¿Cuál es el horario de apertura?
¿Cómo puedo cambiar mi contraseña?
Quiero cancelar mi suscripción.
¿Dónde está mi factura?
No presenta fiebre ni tos. Tensión arterial 130/80.
TRATAMIENTO: Paracetamol 1 g cada 8 horas. Omeprazol 20 mg.
DIAGNÓSTICO: Neumonía. Enfermedad de Parkinson. Síndrome de Down.
EXPLORACIÓN FÍSICA: Buen estado general.
ANTECEDENTES PERSONALES: Hipertensión. Diabetes. Asma.
Se solicita TAC y ECG. Alta a domicilio.
El Ministerio de Sanidad publicó el informe.
La Segunda Guerra Mundial terminó en {Y}.
En Navidad y Semana Santa cerramos.
Hablo español, inglés y francés.
El lunes y el martes no trabajo. En enero hace frío.
Gracias. De nada. Buenos días. Buenas tardes.
Sí, claro. No, gracias. Por favor, espere.
El Rey y la Reina visitaron el Palacio.
El Gobierno y el Congreso aprobaron la Ley.
Capítulo 3: La {X} del {w}
{X}: {w} y {w}
{F} {v} a {F}.
{P} {v} {w} {w}.
{N} {v} la {w}.
¿Por qué {F} es tan {w}?
¿Has visto a {P}?
El {w} de {P} {v} {w}.
La {w} {N} fue {w}.
una canción de {P}
{L} {v} muy {w}.
{R} {v} {w}.
Volvimos a {L} en {w}.
Creció en {L}.
{P}, {X}, {v}: «{w}».
{X} {X} de {X}
Necesito {w} mi {w}.
{w}, {w} y {w}
{K} {w} y {K} {w}
Correo: {E} Tel: {C}
Ayer hablé con {P} sobre el piso de {L}; su {o} {F} no quiere venderlo.
Los hermanos {F} y {F} {N} viajaron a {L}.
El acusado, {P}, declaró ante el juez {N} el {D}.
mi madre se llama {F} y vive en {L}
Hijo de {F} y {F}, casado con {P}, vecino de {L}.
nuestro {o} {F} y su {o} {F}
El {o} {P} firmó el {D}.
Asistentes: {P}, {P} y {P}.
Se presenta {P}, natural de {L}, de {A} años, {o}.
Intervenida por {T} el {D}. Curas a cargo de {F}.
Remitente: {P}, {S}, {Z} {L}
con {F} en {L}
Recomendaciones: beber abundante agua, reposo relativo y acudir a Urgencias si empeora.
Abdomen blando, no doloroso. Auscultación normal. Glasgow 15.
hola {F}, dile a {F} que no puedo ir el {D}
Tratamiento al alta: {d}, {d} y dieta sin sal.
Se pauta {d} {K} mg cada 8 horas. Se retira {d}.
Alérgica a {d}. Toma {d} y {d}.
{w} {w} en {w}. {w} por {w}, sin {w}.
La {o} {F} avisó a los padres de {F} y de {P}.
Fdo.: {P}, {o} de {L}
Don {P} cobró la pensión en {L} el {D}.
Preguntar por {F}, {C}.
{P} ({A}) y {P} ({A})
"""

DE = """
Der Patient {P}, {A} Jahre alt, wurde am {D} aufgenommen.
Die Patientin {P}, geboren am {D}, stellte sich in unserer Ambulanz vor.
Wir berichten über Herrn {P}, geb. {D}, wohnhaft {S}, {Z} {L}.
Wir berichten über Ihre Patientin Frau {P}.
Sehr geehrter Herr {N},
Sehr geehrte Frau {N},
Sehr geehrte Frau Dr. {N},
Sehr geehrter Herr Kollege {N},
Liebe {F},
Lieber {F},
Hallo {F}, wie geht es dir?
Mit freundlichen Grüßen\n{P}
Mit freundlichen Grüßen,\n{T}\n{G}\n{S}\n{Z} {L}
Viele Grüße {F}
Mein Name ist {P}.
Ich heiße {P} und wohne in {L}.
Ich bin {F}.
Hier spricht {P}.
Ich wohne in der {S}.
Meine Adresse ist {S}, {Z} {L}.
Bitte senden Sie das Paket an {P}, {S}, {Z} {L}.
Anschrift: {S}, {Z} {L}
{P}\n{S}\n{Z} {L}
Name: {P}\nStraße: {S}\nPLZ: {Z}\nOrt: {L}
Nachname: {N}, Vorname: {F}
Telefon: {C}
Rufen Sie mich unter {C} an oder schreiben Sie an {E}.
Herr {N} klagt über Schmerzen in der Brust.
Frau {N} lebt mit ihrem Mann {F} in {L}.
Herrn {N}s Blutdruck war erhöht.
Dr. {N} empfiehlt eine Kontrolle in {K} Wochen.
Der Hausarzt Dr. {N} wurde informiert.
Oberarzt {T} hat den Befund besprochen.
Die Tochter {F} ist unter {C} erreichbar.
Ihr Bruder {F} wohnt in {L}.
Seine Mutter {F} starb mit {A} Jahren.
Geboren in {L}, aufgewachsen in {R}.
Er wurde {Y} in {L} geboren.
Ich komme aus {L}.
Wir fahren von {L} nach {L}.
Der Zug nach {L} fährt um neun Uhr.
{L} ist eine schöne Stadt.
Der Bürgermeister von {L}, {P}, eröffnete die Brücke.
Laut {P} wird das Projekt {Y} fertig.
„Das stimmt nicht“, sagte {P}.
{P} arbeitet seit {Y} bei {G}.
{P} von {G} hält den Vortrag.
{P}, {P} und {P} unterschrieben den Vertrag.
{F} und {F} haben in {L} geheiratet.
Kennst du {P}?
Kann ich mit {P} sprechen?
Sag {F}, dass {F} wartet.
Wo ist {F}?
Das Konto läuft auf {P}.
Kontoinhaber: {P}, IBAN {I}
Versicherte: {P}, Versichertennummer {I}
Ansprechpartner: {P}, Tel. {C}
Unterschrift: {P}
Arzt: {P}
Familie {N} wohnt in der {q}.
Das Büro ist in der {q}.
Der Roman von {P} erschien {Y}.
Regie: {P}
Der Präsident von {R} besuchte {L}.
In {R} regnet es oft.
Postleitzahl {Z}
Die Firma {G} hat ihren Sitz in {L}.
Ich arbeite bei {G}.
{F}: Wer bist du?
{N}: Das ist nicht wahr.
Der {n} der {n} ist {w}.
Die {n} wurde wegen der {n} abgeschaltet.
Nach der {n} öffnete sich das {n} wieder.
Es gibt keine {n} in der {n}.
Das {n} und die {n} sind {w}.
Bei {n} und {n} ist die {n} zu prüfen.
Zur {n} wird eine {n} empfohlen.
{n}: {n} und {n}
Unter {n} kam es zu einer {n} der {n}.
Im Rahmen der {n} zeigte sich eine {n}.
Wie sind die Öffnungszeiten?
Wie kann ich mein Passwort ändern?
Ich möchte mein Abonnement kündigen.
Wo finde ich meine Rechnung?
Diagnosen: Arterielle Hypertonie, Diabetes mellitus Typ 2, Morbus Parkinson
Therapie: Ibuprofen 600 mg, Pantoprazol 40 mg
Kein Fieber, kein Husten, keine Atemnot. RR 130/80.
Die Entlassung erfolgte in gutem Allgemeinzustand.
Anamnese: Seit drei Tagen bestehen Kopfschmerzen und Übelkeit.
Das Bundesministerium für Gesundheit veröffentlichte den Bericht.
Der Zweite Weltkrieg endete {Y}.
An Weihnachten und Ostern ist geschlossen.
Ich spreche Deutsch, Englisch und Französisch.
Am Montag und im Januar ist das Büro geschlossen.
Danke. Bitte. Guten Tag. Auf Wiedersehen.
Das ist gut. Der Tisch ist neu. Die Sonne scheint.
Der König und die Königin besuchten das Schloss.
Kapitel 3: Die {n} der {n}
Tabelle 2: {n} nach {n}
Ihre Bestellung {I} wurde am {D} versandt.
Ich habe Ihnen die Unterlagen geschickt.
Vielen Dank für Ihre Nachricht und Ihre Hilfe.
{F} {v} {F}.
{P} {v} die {n}.
{N} {v} das {n}.
Warum ist {F} so {w}?
Hast du {P} gesehen?
Die {n} von {P} {v} {w}.
Das {N} {n} war {w}.
ein Lied von {P}
{L} {v} sehr {w}.
{R} {v} {w}.
Wir kamen mit dem {n} nach {L} zurück.
Sie ist in {L} aufgewachsen.
Eine {n} ohne {n} ist {w}.
Zum {n} gehört die {n}, zur {n} das {n}.
Ohne {n} keine {n}.
{n}, {n} und {n}
{n} {w} {n}
Keine {n}, {n} unauffällig, {n} {w}.
Wegen {n} am {n} wurde die {n} {w}.
Im {n} fand sich ein {n} mit {n}.
Wir bitten um {n} und {n} Ihrer {n}.
Beim {n} ist die {n} der {n} {w}.
E-Mail: {E} Tel.: {C}
Gestern rief {T} an, ihr {o} {F} sei gestürzt und liege im Klinikum {L}.
Vermieter: {P}, {S}, {Z} {L}
unser {o} {F} und seine {o} {F}
Vorstellung auf Zuweisung von {T}, {L}. Begleitet von der Ehefrau {F}.
Der {A}-jährige Patient {P} klagt seit {D} über Schwindel.
Bitte informieren Sie auch {T} und {P} vom {n}.
{F} und {F} ziehen im Mai nach {L}.
Gezeichnet {P}, {o}
Anwesend: {P}, {P} und {P}.
mit {F} in {L}
Der Angeklagte {P} aus {L} schwieg.
hallo {F}, sag {F} bitte, dass ich am {D} nicht kann
Medikation: {d} {K} mg, {d} und {d}.
{d} wurde abgesetzt, {d} angesetzt.
Empfehlung: Reduktion der {n}, Kontrolle der {n}, {n} {n} in zwei {n}.
Pat. {P}, {A} Jahre, aus {L}, Sturz am {D}.
Pat. ist {w}. Pat. klagt über {n}.
{o} {P} sah den {n} in der {S} in {L}.
{F} hat {F} gestern in {L} getroffen.
Hunde sind an der {n} zu führen. Das {n} der {n} ist verboten.
Die Wartung der {n} erfolgt jährlich. Bei {n} ist der {n} zu prüfen.
Procedere: Fortführung der {n}, Kontrolle von {n} und {n}, Wiedervorstellung bei {n}.
{n} {n}: {n} und {n} normal groß, keine freie {n}.
Die {n} verlangt neue {n}, bessere {n} und eine kluge {n} des {n}s.
{n} {w}, {n} {w}, {n} {w}.
{P} ({A}) und {P} ({A})
"""

FR = """
Le patient {P}, {A} ans, a été admis le {D}.
La patiente {P}, née le {D}, consulte pour des douleurs.
Mme {P} demeurant {S}, {Z} {L}.
M. {N} se plaint de douleurs thoraciques.
Mme {N} vit à {L} avec son mari {F}.
Le Dr {N} a examiné le patient.
Le docteur {P} recommande un bilan.
Adressé par le Dr {N}, {G}, {L}.
Patient : {P}   Né le : {D}   Dossier : {I}
Médecin traitant : Dr {P}
Signé : {P}
Infirmière : {F} {N}
Cher Monsieur {N},
Chère Madame {N},
Chère {F},
Cher {F},
Bonjour {F}, comment vas-tu ?
Bonjour, je suis {P}.
Cordialement,\n{P}
Bien à vous,\n{P}\n{G}\n{S}\n{Z} {L}
Je m'appelle {P} et j'habite à {L}.
Mon nom est {P}.
C'est {F} à l'appareil.
J'habite {S}.
J'habite au {S} à {L}.
Mon adresse est {S}, {Z} {L}.
Veuillez envoyer le colis à {P}, {S}, {Z} {L}.
Adresse : {S}, {Z} {L}
{P}\n{S}\n{Z} {L}
Nom : {N}\nPrénom : {F}\nAdresse : {S}\nVille : {L}\nCode postal : {Z}
Téléphone : {C}
Joindre {P} au {C} ou par mail {E}.
Sa fille {F} est joignable au {C}.
Son frère {F} habite {L}.
Sa mère, {F}, est décédée à {A} ans.
Né à {L} en {Y}.
Elle est née à {L} ({R}).
Je viens de {L}.
Nous allons de {L} à {L} le {D}.
Le train pour {L} part à neuf heures.
{L} est une belle ville.
Le maire de {L}, {P}, a inauguré le pont.
Selon {P}, le projet sera fini en {Y}.
« Ce n'est pas vrai », a dit {P}.
{P} travaille chez {G} depuis {Y}.
{P} de {G} donnera la conférence.
{P}, {P} et {P} ont signé l'accord.
{F} et {F} se sont mariés à {L}.
Connaissez-vous {P} ?
Puis-je parler à {P} ?
Dis à {F} que {F} attend.
Le compte est au nom de {P}.
Titulaire : {P}, IBAN {I}
Bénéficiaire : {P}
Contact : {P}, {C}
La famille {N} habite {q}.
Le bureau se trouve {q}.
La boutique est au {S}.
Le roman de {P} est paru en {Y}.
Un film de {P} avec {P}
Le président de la {R} a visité {L}.
Il pleut souvent en {R}.
Code postal {Z}
La société {G} est basée à {L}.
Je travaille chez {G}.
{F} : Qui es-tu ?
{N} : Je ne suis pas d'accord.
d'{F} et l'ami d'{F}
Le {w} de la {w} est {w}.
La {w} n'est pas {w} parce que le {w} est {w}.
Il n'y a pas de {w} dans le {w}.
Quels sont les horaires d'ouverture ?
Comment changer mon mot de passe ?
Je voudrais résilier mon abonnement.
Où est ma facture ?
Pas de fièvre ni de toux. Tension artérielle 13/8.
TRAITEMENT : Doliprane 1 g, Kardégic 75 mg
DIAGNOSTIC : Pneumopathie. Maladie de Crohn. Maladie d'Alzheimer.
ANTÉCÉDENTS : Hypertension. Diabète. Asthme.
Le Ministère de la Santé a publié le rapport.
La Seconde Guerre mondiale a pris fin en {Y}.
À Noël et à Pâques nous sommes fermés.
Je parle français, anglais et espagnol.
Le lundi et en janvier le bureau est fermé.
Merci. De rien. Bonjour. Bonsoir. Au revoir.
Le Roi et la Reine ont visité le Palais.
Chapitre 3 : La {X} du {w}
{X} : {w} et {w}
Votre commande {I} a été expédiée le {D}.
{F} {v} {F}.
{P} {v} {w} {w}.
{N} {v} la {w}.
Pourquoi {F} est si {w} ?
As-tu vu {P} ?
Le {w} de {P} {v} {w}.
La {w} {N} était {w}.
une chanson de {P}
{L} {v} très {w}.
La {R} {v} {w}.
Nous sommes revenus à {L} en {w}.
Il a grandi à {L}.
{w}, {w} et {w}
{K} {w} et {K} {w}
Courriel : {E} Tél. : {C}
Hier j'ai croisé {P} au marché de {L} avec ses fils {F} et {F}.
Locataire : {P}, {S}, {Z} {L}
notre {o} {F} et son {o} {F}
Courrier du Dr {N} reçu le {D} : pas d'anomalie.
Mme {N} est suivie depuis {Y}. Mari : {F}.
Rappeler {P} au {C} avant {D}.
Le prévenu {P}, {A} ans, domicilié à {L}, a reconnu les faits.
j'ai rdv avec {F} demain à {L}
Présents : {P}, {P} et {P}.
avec {F} à {L}
salut {F}, dis à {F} que je ne peux pas venir {D}
Traitement : {d} {K} mg, {d} et {d}.
Arrêt de {d}. Début de {d}.
Contrôle de la {w} à jeun. Régime pauvre en {w}.
{w} pendant {K} jours. {w} de {w} en {w}.
{F} a gardé {F} et {F} pendant les vacances à {L}.
Le {o}, {P}, a reçu {P} à {L}.
blessé : {P}, né le {D}
Conduite à tenir : repos, hydratation, antalgiques. Revoir en consultation si persistance des douleurs.
Foie de taille normale, Vésicule alithiasique. Pancréas non vu.
Vérifiez la {w} et purgez les {w} chaque automne.
{P} ({A} ans) et {P} ({A} ans)
"""
TEMPLATES = {'en': EN + more.EN, 'es': ES + more.ES, 'de': DE + more.DE, 'fr': FR + more.FR}

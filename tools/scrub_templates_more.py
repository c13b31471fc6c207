"""More sentences of the same form as in scrub_templates.py: prose of contracts, manuals and wards with capitals that name nobody ({m} a product, {n} a German noun), and the
short forms in which notes, forms, lists and messages name people. Written for this project."""

EN = """
The {m} package depends on {m} and replaces {m}.
{m} is installed by default and can be removed at any time.
{m} provides a {w} for {w} and {w}.
{m} uses the {m} library to {w} its {w}.
{m} supports {w}, {w} and {m} {w}.
With {m} you can {w} the {w} of a {w}.
In {m}, the {w} is called {X}.
Users of {m} {K} should {w} to {m} {K} first.
The {m} {w} of {m} is described in Section {K}.
Install {m}, {m} or {m} before you start.
Since {m} {K}.{K} the {w} {w} by default.
Some {m} {w} do not {w} with {m}.
See the {m} manual for the {X} option.
The {X} {X} and the {X} {X} form the {X}.
The {X} shall {w} the {X} within {K} days of the {X} Date.
"{X}" means any {X} that the {X} makes available to the {X}.
Each {X} grants to every {X} a {w} {w} licence.
Such {X} may not {w} the {X} of any {X}, unless the {X} agrees in writing.
Subject to Section {K}, the {X} and its {X} are not liable for {w}.
ARTICLE {K}. {X} AND {X}
{X} and {X} of the {X}
No {X} under this {X} shall {w} to the {X}.
{X}s must {w} the {X} before the Effective Date.
Where a {X} {w}s, the {X} is {w}.
Note: {X} {w} may {w} the {w}.
Warning: do not {w} the {w} while the {w} is {w}.
Normally the {w} {w}s after the {w}. Otherwise it {w}s.
Hypertension, Diabetes, Asthma and {X} were ruled out.
{d} and {d} were stopped; {d} {K} mg was started.
Started on {d}. Tolerating {d} well.
Abdomen soft. Chest clear. Heart sounds normal. Pupils equal.
Discharge Diagnosis: {X} {w}. Condition: {X}.
Orders: {X}, {X}, {X}.
Knee X-ray shows {w}. {X} not seen.
Neurology, Cardiology and {X} were consulted.
{X} Unit, {X} Ward, Bed {K}
Defendant {P} denies the claim.
Plaintiff {N} and defendant {N} agreed to {w}.
Deputy {N} arrived first; Detective {P} took over.
Handed over to Nurse {N} at {K}.
Witness {P} ({A}) was {w} by Constable {N}.
His partner {P} and her sister {F} were told.
an aunt named {P}
a colleague by the name of {N}
his stepfather, {P}, a retired {o}
I asked {N} whether she had seen {N}.
I have met {N} once before.
We spoke to {F} and {N} about it.
Seen by: {P}. Checked by: {N}.
Bed {K}: {N}, for {w}. Bed {K}: {P}, stable.
{N} - awaiting {w}. {N} - home today.
{N} {v} at night.
{F} {v} the {w}, {F} {v} at home.
{F} is off sick, {N} will cover.
{F}, {A}, and {F}, {A}, live with {N}.
[{K}:{K}] {F}: ok, see you in {L}
{F} ({K}:{K}): did {F} {w} it?
@ {F} please {w} with {N}
ok {F}, will do. cc {P}
the office in {L} and the {L} branch
the {L} depot, the {L} plant and the {L} store
at {L} station on {D}
left {L} in {D} and reached {R} by {Y}
lives in {L}, works in {L}
resident of {L}, {R}
of {L}, {R}, aged {A}
arrived from {L} on {D}; departs for {L} on {D}
attends the clinic in {L}
worked at the mill in {L}
{F},{N},{D},{L}
{P},{D},{C},{L}
{P};{L};{Z};{C}
NAME: {P}  ADDRESS: {S}  CITY: {L}  ZIP: {Z}
SURNAME: {N}  FORENAMES: {F}
Cardholder: {P}
Mum: {F}. Dad: {F}. Siblings: {F}, {F}.
Chair: {P}. Secretary: {P}. Treasurer: {N}.
Signed by {N} and {N} in {L}
the late {P}, of {L}
son of {F} and {P}
daughter of {P} and {F}, née {N}
{P} and his wife {F} moved from {L} to {L}.
mr and mrs {N}
Dear Mr and Mrs {N},
the {N}s live next door
"""

ES = """
El paquete {m} depende de {m} y sustituye a {m}.
{m} se instala de forma predeterminada y puede eliminarse después.
{m} proporciona una {w} para {w} y {w}.
Con {m} puede {w} el {w} de una {w}.
En {m}, la {w} se llama {X}.
Los usuarios de {m} {K} deben {w} primero a {m} {K}.
Instale {m}, {m} o {m} antes de empezar.
Muestra la {w} de la {w}. Lee el {w}. Establece la {w}.
Vea la Sección {K} y el Capítulo {K}.
Normalmente la {w} se {w} después de la {w}. Sin embargo, puede {w}.
Nota: la {w} puede {w} el {w}.
El {X} deberá {w} al {X} dentro de los {K} días.
La {X} y el {X} forman parte del {X}.
Se entiende por «{X}» toda {X} que el {X} facilite.
ARTÍCULO {K}. {X} Y {X}
LETRA {X}, SIGNO {X} Y {X}
Se inicia {d}; se retira {d}. Buena tolerancia a {d}.
Exploración: Abdomen blando. Auscultación normal. {X} negativo.
Juicio clínico: {X} {w}. Tratamiento: {d} {K} mg.
Urología, Cardiología y {X} valoran al paciente.
Ingresa en {X}. Alta de {X}.
La demandada {P} niega los hechos.
El agente {N} y la inspectora {N} acudieron al lugar.
Mi abuelo {F} y mi tía {F} vivían en {L}.
su padre, {P}, y su madre, {P}
su marido {F} y su cuñada {F}
una vecina llamada {P}
un compañero que se llama {F}
Se informa a {N}, {o}. Se avisa a {N}.
Se lo he dicho a {F} y a {N}.
{F} {v} en casa, {F} {v} la {w}.
{F} se {v} en {L}.
{F} y {F} {v} a {L} el {D}.
{F} está de baja, {N} la sustituye.
Cama {K}: {N}. Cama {K}: {P}.
[{K}:{K}] {F}: vale, nos vemos en {L}
cliente: soy {P} y mi marido {F} también
trasladado desde {L}, enviado a {L}
procedente de {L}, residente en {L}
salió de {L} en {Y} hacia {R}
{P};{D};{L};{C}
NOMBRE: {P}  DIRECCIÓN: {S}  LOCALIDAD: {L}
Apellidos: {N}  Nombre: {F}
Presidenta: {P}. Secretario: {N}. Asisten: {P}, {P} y {N}.
don {P} y doña {P}, vecinos de {L}
la señora {N} y el doctor {N}
los señores {N}
la familia {N}
hijo de {F} y de {F}, natural de {L}
Firmado: {P}, {L}, {D}
En {L}, a {D}, {P}
A la atención de {P}
Contacto: {P} ({o}), {C}
Testigo: {P}, {o}.
"""

DE = """
Das Paket {m} hängt von {m} ab und ersetzt {m}.
{m} ist bereits installiert und kann später entfernt werden.
{m} stellt eine {n} für {n} und {n} bereit.
Mit {m} können Sie die {n} der {n} ändern.
In {m} heißt die {n} {n}.
Benutzer von {m} {K} sollten zuerst {m} {K} verwenden.
Zeigt die {n} an. Liest die {n}. Setzt den {n}. Siehe Abschnitt {K}.
Normalerweise wird die {n} nach der {n} beendet. Andernfalls bleibt sie.
Falls die {n} fehlt, wird {n} verwendet.
Hinweis: {n} kann die {n} verändern.
{n}, {n} und {n} sind in {n} enthalten.
Bei {n} hilft {n}. Ohne {n} keine {n}.
{n} und {n} werden geprüft, {n} nicht.
Der {n} ist dem {n} innerhalb von {K} Tagen zu übergeben.
Im Sinne dieses Vertrags bedeutet „{n}“ jede {n} des {n}s.
§ {K} {n} und {n}
Diagnose: {n}. Therapie: {n}. Verlauf: {n}.
Beginn mit {d}, {d} abgesetzt. {d} gut vertragen.
Aufnahme wegen {n}. Kein Hinweis auf {n}.
Abdomen weich. Lunge frei. Herztöne rein. {n} unauffällig.
Beschluss: Die {n} wird erneuert. Antrag: {n}.
Verdacht auf {n} nach {n}. Zustand nach {n}.
gelernter {o}, jetzt {o}, seit {K} Wochen {n}
Er ist {o}, sie ist {o}.
hat das {n} abgelehnt, wegen {n} und {n}
Zwei {n}, drei {n}, keine {n}.
Anruf der {n}: {n} fehlt.
Ausflug, {n} und {n} am Nachmittag.
Die Beklagte {P} bestreitet den Vorwurf.
Kommissar {N} und Hauptkommissarin {N} ermitteln.
durch Richter {N}, in Vertretung Richterin {N}
Pflegerin {N} hat {N} gewaschen. {N} schläft.
{N} klagt über {n}. {N} wünscht {n}.
Familie {N} und Ehepaar {N} waren da.
Oma {F}, Opa {F}, Tante {F} und Onkel {F}
Liebe Oma {F}, lieber Opa {F},
seine Frau {F}, ihr Sohn {F} und ihre Söhne {F} und {F}
Sohn {F}, Tochter {F}, Enkel {P}
Mutter: {P}, {C}. Vater: {F} {N}.
{F} und {F} {v} gestern in {L}.
{F} sagt, {F} kommt nach {L}.
{F} ist krank, {N} vertritt.
[{K}:{K}] {F}: alles klar, bis {D} in {L}
kunde: hier ist {P}, meine frau {F} auch
Bett {K}: {N}. Bett {K}: {P}.
verlegt aus {L}, entlassen nach {L}
lebt in {L}, arbeitet in {L}, stammt aus {R}
{P};{D};{L};{C}
NAME: {P}  ANSCHRIFT: {S}, {Z} {L}
Vorsitz: {P}. Protokoll: {N}. Anwesend: {P}, {P}, {N}.
der Zeuge {N}, die Zeugin {P}, der Angeklagte {N}
Halter: {P}, {S}, {L}
Rechtsanwältin {P} für {N}
{L}, den {D}, {P}
gez. {P}
Deine {F}
Gruß {F}
Euer {F}
"""

FR = """
Le paquet {m} dépend de {m} et remplace {m}.
{m} est installé par défaut et peut être supprimé ensuite.
{m} fournit une {w} pour {w} et {w}.
Avec {m} vous pouvez {w} le {w} d'une {w}.
Dans {m}, la {w} s'appelle {X}.
Les utilisateurs de {m} {K} doivent d'abord {w} vers {m} {K}.
Installez {m}, {m} ou {m} avant de commencer.
Affiche la {w} de la {w}. Lit le {w}. Utilisez la {w}. Notez que la {w} {w}.
Voir la Section {K} et le Chapitre {K}.
Toutefois la {w} est {w} après la {w}. Ainsi elle peut {w}. Néanmoins, {w}.
Remarque : la {w} peut {w} le {w}.
Le {X} doit {w} au {X} dans les {K} jours.
La {X} et le {X} font partie du {X}.
On entend par « {X} » toute {X} que le {X} fournit.
ARTICLE {K}. {X} ET {X}
Début de {d}, arrêt de {d}. Bonne tolérance de {d}.
Examen : Abdomen souple. Auscultation normale. {X} négatif.
Conclusion : {X} {w}. Traitement : {d} {K} mg.
Cardiologie, Urologie et {X} ont donné leur avis.
Hospitalisation en {X}. Sortie de {X}.
La défenderesse {P} conteste les faits.
Le gendarme {N} et l'adjudant {N} se sont rendus sur place.
Mon grand-père {F} et ma tante {F} vivaient à {L}.
son père, {P}, et sa mère, {P}
son mari {F} et sa belle-sœur {F}
une voisine nommée {P}
un collègue qui s'appelle {F}
On a prévenu {N}, {o}. Transmis à {N}.
J'en ai parlé à {F} et à {N}.
{F} {v} à la maison, {F} {v} la {w}.
{F} et {F} {v} à {L} le {D}.
{F} est absente, {N} la remplace.
Lit {K} : {N}. Lit {K} : {P}.
[{K}:{K}] {F}: ok, on se voit à {L}
client : c'est {P}, ma femme {F} aussi
transféré de {L}, adressé à {L}
venant de {L}, domicilié à {L}
avait quitté {L} en {Y} pour {R}
{P};{D};{L};{C}
NOM : {N}  PRÉNOM : {F}  VILLE : {L}
Présidente : {P}. Secrétaire : {N}. Présents : {P}, {P} et {N}.
M. et Mme {N}
le docteur {N} et madame {N}
la famille {N}
les époux {N}
fils de {F} et de {F}, né à {L}
fille de {P} et {P}
Fait à {L}, le {D}, {P}
À l'attention de {P}
Contact : {P} ({o}), {C}
Témoin : {P}, {o}.
l'amie de {F}, {F}
la sœur de {P}
Mamie {F}, Papi {F}, tonton {F}
"""

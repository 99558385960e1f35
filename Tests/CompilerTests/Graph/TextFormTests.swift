import SchemaGraph
import SchemaModel
import Testing

/// Tests of Mermaid and Graphviz output.
struct TextFormTests {
  @Test func mermaid() throws {
    let text = MermaidDiagram(Diagram([try diagramSchema(Texts.trips)])).text
    #expect(
      text == """
        ---
        title: "Trips 1.0.0"
        ---
        classDiagram
          class Trip {
            name: String · preserved
            start: Date · index
            photo: Data? · external file
            kind: Kind
            mood: Set#60;String#62; · transient
            stops: [Stop]
            leader: Person?
            unique: name, start
          }
          class Cruise {
            ship: String
            captain: Person
          }
          class Stop {
            place: Place
            trip: Trip?
            previous: Stop?
            next: Stop?
          }
          class Person {
            name: String · unique
            led: [Trip]
            friends: [Person]
          }
          class Kind {
            <<enumeration>>
            work
            other = misc
          }
          class Place {
            <<struct>>
            name: String
            kinds: [Kind]
          }
          Trip ..> Kind
          Stop ..> Place
          Place ..> Kind
          Trip <|-- Cruise
          Trip "0..1" *-- "0..*" Stop : stops #40;cascade#41; / trip
          Person "0..1" -- "0..*" Trip : led / leader #40;deny#41;
          Cruise ..> "1" Person : captain #40;no action#41;
          Stop "0..1" -- "0..1" Stop : previous / next
          Person "0..*" -- "0..*" Person : friends

        """)
  }

  @Test func mermaidOfAChange() throws {
    let text = MermaidDiagram(Diagram(comparing: [[try diagramSchema(Texts.trips), try diagramSchema(Texts.later)]]))
      .text
    for line in [
      "title: \"Trips 1.0.0 → Trips 2.0.0\"", "class Journey[\"Journey « renamed: was 'Trip' »\"] {",
      "    title: String · preserved « renamed: was 'name' »", "    price: Decimal « added »",
      "    leader: Person? « removed »", "class Cruise[\"Cruise « removed »\"] {",
      "  Ticket --> \"0..1\" Stop : stop « added »", "  style Ticket fill:#dafbe1", "  style Cruise fill:#ffebe9",
      "  style Journey fill:#ddf4ff", "  style Person fill:#fff8c5",
    ] { #expect(text.contains(line), "\(line)\n\(text)") }
    #expect(!text.contains("style Place"))
  }

  @Test func schemaTextIsEscaped() throws {
    let text = MermaidDiagram(Diagram([try diagramSchema(Texts.hostile)])).text
    for line in [
      "  class m_0[\"class\"] {", "    default: Measurement#60;UnitLength, Int#62;?",
      "    größe: [String: [Int]]", "  class m_1[\"note\"] {", "  class m_2[\"Ünicode\"] {",
      "    click = #34;#125;]#62;#60;#92;", "    tilde = #126;#42;#36;#35;#59;#37;#37;",
      "  m_0 \"0..1\" -- \"0..*\" m_1 : style / end",
    ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
  }

  @Test func dot() throws {
    let text = DotDiagram(Diagram([try diagramSchema(Texts.trips)]).focused(on: ["Cruise"], depth: 0)).text
    #expect(
      text == """
        digraph schema {
          graph [rankdir=LR, fontname="Helvetica", labelloc=t, nodesep=0.4, ranksep=1.2, label="Trips 1.0.0 (3 models are left out)"];
          node [shape=plain, fontname="Helvetica", fontsize=11];
          edge [fontname="Helvetica", fontsize=9, dir=both];
          n0 [label=<<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" COLOR="#57606a"><TR><TD ALIGN="LEFT" BGCOLOR="#eaeef2" COLSPAN="2"><B>Cruise</B></TD></TR><TR><TD ALIGN="LEFT" PORT="r0">ship</TD><TD ALIGN="RIGHT" PORT="t0">String</TD></TR><TR><TD ALIGN="LEFT" PORT="r1">→ captain</TD><TD ALIGN="RIGHT" PORT="t1">Person</TD></TR></TABLE>>];
        }

        """)
    let whole = DotDiagram(Diagram([try diagramSchema(Texts.trips)])).text
    #expect(
      whole.contains(
        ##"n0:t5 -> n2:r1 [style=bold, arrowhead=crowodot, arrowtail=teeodot, label="stops 0..* cascade\ntrip 0..1", color="#b42318", fontcolor="#b42318"];"##
      ), "\(whole)")
    #expect(whole.contains("n0 -> n1 [arrowtail=empty, arrowhead=none, style=bold"))
  }

  @Test func dotEscapesNames() throws {
    let text = DotDiagram(Diagram([try diagramSchema(Texts.hostile)])).text
    #expect(text.contains("Measurement&lt;UnitLength, Int&gt;?"))
    #expect(text.contains("= &quot;}]&gt;&lt;\\"))
    #expect(!text.contains("<script"))
  }
}

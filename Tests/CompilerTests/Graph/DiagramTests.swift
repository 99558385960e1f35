import SchemaGraph
import SchemaModel
import Testing

/// Tests of the contents of diagrams.
struct DiagramTests {
  @Test func anInversePairIsASingleEdge() throws {
    let diagram = Diagram([try diagramSchema(Texts.trips)])
    #expect(diagram.nodes.map(\.name) == ["Trip", "Cruise", "Stop", "Person", "Kind", "Place"])
    let lines = diagram.edges.map { edge in
      let names = edge.ends.map { "\($0.name) \($0.count) \($0.deleteRule)" }.joined(separator: ", ")
      return "\(edge.kind) \(diagram.nodes[edge.from].name) \(diagram.nodes[edge.to].name) \(names)"
    }
    #expect(
      lines == [
        "use Trip Kind ", "use Stop Place ", "use Place Kind ", "inheritance Trip Cruise ",
        "relationship Trip Stop stops 0..* cascade, trip 0..1 nullify",
        "relationship Person Trip led 0..* nullify, leader 0..1 deny",
        "relationship Cruise Person captain 1 noAction",
        "relationship Stop Stop previous 0..1 nullify, next 0..1 nullify",
        "relationship Person Person friends 0..* nullify, friends 0..* nullify",
      ])
  }

  @Test func rowsHaveMarksForOptions() throws {
    let trip = try #require(Diagram([try diagramSchema(Texts.trips)]).nodes.first)
    #expect(
      trip.rows.map { "\($0.kind) \($0.name): \($0.type) \($0.marks.map(\.rawValue))" } == [
        #"attribute name: String ["preserved"]"#, #"attribute start: Date ["index"]"#,
        #"attribute photo: Data? ["external"]"#, "attribute kind: Kind []",
        #"attribute mood: Set<String> ["transient"]"#, "relationship stops: [Stop] []",
        "relationship leader: Person? []", #"constraint name, start:  ["unique"]"#,
      ])
    #expect(trip.documentation == "A journey.")
    #expect(trip.rows.map(\.target) == [nil, nil, nil, 4, nil, 2, 3, nil])
  }

  @Test func focusIncludesNeighbours() throws {
    let diagram = Diagram([try diagramSchema(Texts.trips)])
    let cruise = diagram.focused(on: ["Cruise"], depth: 1)
    #expect(cruise.nodes.map(\.name) == ["Trip", "Cruise", "Person", "Kind"])
    #expect(cruise.hiddenModels == 1)
    #expect(cruise.edges.allSatisfy { $0.from < 4 && $0.to < 4 })
    #expect(cruise.nodes[0].rows.map(\.target) == [nil, nil, nil, 3, nil, nil, 2, nil])
    #expect(diagram.focused(on: ["Cruise"], depth: 0).nodes.map(\.name) == ["Cruise"])
    #expect(diagram.focused(on: ["Cruise"], depth: 9) == diagram)
    #expect(diagram.focused(on: ["Kind"], depth: 1).nodes.map(\.name) == ["Trip", "Kind", "Place"])
    #expect(diagram.withoutValues.nodes.map(\.name) == ["Trip", "Cruise", "Stop", "Person"])
  }

  @Test func diagramOfAChange() throws {
    let diagram = Diagram(comparing: [[try diagramSchema(Texts.trips), try diagramSchema(Texts.later)]])
    #expect(diagram.title == "Trips 1.0.0 → Trips 2.0.0")
    let nodes = diagram.nodes.map { node in
      "\(node.name) \(node.change.map { "\($0.kind) \($0.notes.joined(separator: "; "))" } ?? "-")"
    }
    #expect(
      nodes == [
        "Journey renamed was 'Trip'", "Stop -", "Person -", "Ticket added ", "Cruise removed ", "Kind -", "Place -",
      ])
    let rows = diagram.nodes.flatMap { node in
      node.rows.compactMap { row in
        row.change.map { "\(node.name).\(row.name) \($0.kind) \($0.notes.joined(separator: "; "))" }
      }
    }
    #expect(
      rows == [
        "Journey.title renamed was 'name'", "Journey.start changed type changed from 'Date' to 'Date?'",
        "Journey.price added ",
        "Journey.stops changed delete rule changed from '.cascade' to '.nullify'", "Journey.first added ",
        "Journey.following added ", "Journey.leader removed ", "Journey.title, start removed ",
        "Stop.code added ", "Person.led removed ", "Kind.school added ",
      ])
    let edges = diagram.edges.filter { $0.kind != .use }.map { edge in
      let names = edge.ends.map(\.name).joined(separator: "/")
      return "\(diagram.nodes[edge.from].name) \(diagram.nodes[edge.to].name) \(names) "
        + (edge.change?.rawValue ?? "-")
    }
    #expect(
      edges == [
        "Journey Stop stops/trip changed", "Journey Journey following/first added",
        "Stop Stop previous/next -", "Person Person friends/friends -", "Ticket Stop stop added",
        "Cruise Person captain removed", "Person Journey led/leader removed",
      ])
    let near = diagram.focusedOnChanges(depth: 0)
    #expect(near.nodes.map(\.name).contains("Person"))
    #expect(near.hiddenModels == 0)
  }

  @Test func unchangedModelsAreHidden() throws {
    let old = try diagramSchema(
      "schema S 1.0.0\n@Model class A { var b: B? }\n@Model class B { var a: A?; var c: C? }\n@Model class C { var b: B? }\n@Model class D { var x: Int? }"
    )
    let new = try diagramSchema(
      "schema S 2.0.0\n@Model class A { var b: B?; var y: Int? }\n@Model class B { var a: A?; var c: C? }\n@Model class C { var b: B? }\n@Model class D { var x: Int? }"
    )
    let diagram = Diagram(comparing: [[old, new]])
    #expect(diagram.focusedOnChanges(depth: 0).nodes.map(\.name) == ["A"])
    #expect(diagram.focusedOnChanges(depth: 1).nodes.map(\.name) == ["A", "B"])
    #expect(diagram.focusedOnChanges(depth: 1).hiddenModels == 2)
    #expect(Diagram(comparing: [[old, old]]).focusedOnChanges(depth: 1).nodes.isEmpty)
  }

  @Test func aRenameToTheNameOfARemovedModel() throws {
    let old = try diagramSchema("schema S 1.0.0\n@Model class A { var x: Int? }\n@Model class B { var x: Int? }")
    let new = try diagramSchema("schema S 2.0.0\n@Model(originalName: \"A\") class B { var x: Int? }")
    let diagram = Diagram(comparing: [[old, new]])
    #expect(diagram.nodes.map { "\($0.name) \($0.change?.kind.rawValue ?? "-")" } == ["B renamed", "B removed"])
  }
}

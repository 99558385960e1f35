import Testing

@Suite struct EntityChangeTests {
  @Test func addedAndRemoved() throws {
    try expectChanges(
      from: "@Model class A { var x: Int }\n@Model class B { var x: Int }",
      to: "@Model class C { var x: Int }\n@Model class A { var x: Int }",
      ["automatic: model 'C' added", "loses data: model 'B' removed"])
  }

  @Test func renamesAreASingleChange() throws {
    try expectChanges(
      from: """
        @Model class Journey { #Unique<Journey>([\\.name]); var name: String; var stops: [Stop] }
        @Model class Stop { @Relationship(inverse: \\Journey.stops) var journey: Journey? }
        @Model class Tour: Journey { var guide: String }
        """,
      to: """
        @Model(originalName: "Journey") class Trip {
          #Unique<Trip>([\\.title])
          @Attribute(originalName: "name") var title: String
          var stops: [Stop]
        }
        @Model class Stop {
          @Relationship(originalName: "journey", inverse: \\Trip.stops) var trip: Trip?
        }
        @Model class Tour: Trip { var guide: String }
        """,
      [
        "automatic: model 'Journey' renamed to 'Trip'",
        "automatic: attribute 'Trip.name' renamed to 'title'",
        "automatic: relationship 'Stop.journey' renamed to 'trip'",
      ])
  }

  @Test func anUnchangedOriginalNameIsNotARename() throws {
    try expectChanges(
      from: #"@Model(originalName: "Journey") class Trip { var x: Int }"#,
      to:
        "@Model(originalName: \"Journey\") class Trip { var x: Int }\n@Model class Journey { var y: Int }",
      ["automatic: model 'Journey' added"])
    try expectChanges(
      from: #"@Model(originalName: "Journey") class Trip { var x: Int }"#,
      to: "@Model class Trip { var x: Int }",
      ["automatic: model 'Trip': original name changed from 'Journey' to none"])
  }

  @Test func propertiesThatExchangeNames() throws {
    try expectChanges(
      from: "@Model class A { var a: Int; var b: Int }",
      to: """
        @Model class A {
          @Attribute(originalName: "b") var a: Int
          @Attribute(originalName: "a") var b: Int
        }
        """,
      [
        "automatic: model 'A': property order changed",
        "automatic: attribute 'A.b' renamed to 'a'", "automatic: attribute 'A.a' renamed to 'b'",
      ])
  }

  @Test func classesAndAccess() throws {
    try expectChanges(
      from: "@Model class A { var x: Int }\n@Model class B: A { var y: Int }",
      to: "@Model public class A: Greeter { var x: Int }\n@Model class B { var y: Int }",
      [
        "automatic: model 'A': conformances changed from [] to [Greeter]",
        "automatic: model 'A': access changed from none to 'public'",
        "needs code: model 'B': superclass changed from 'A' to none",
      ])
  }

  @Test func constraints() throws {
    try expectChanges(
      from: """
        @Model class A {
          #Unique<A>([\\.a, \\.b])
          #Index<A>([\\.a])
          @Attribute(.unique) var a: Int
          var b: Int
        }
        """,
      to: """
        @Model class A {
          #Unique<A>([\\.b], [\\.a, \\.b], onConflict: .fail)
          #Index<A>([\\.b], [\\.b])
          var a: Int
          var b: Int
        }
        """,
      [
        "needs code: model 'A': [b] is now unique",
        "automatic: model 'A': [a, b]: conflict policy changed from '.replace' to '.fail'",
        "automatic: model 'A': [a] is no longer unique",
        "automatic: model 'A': binary index of [b] added",
        "automatic: model 'A': binary index of [b] added",
        "automatic: model 'A': binary index of [a] removed",
      ])
  }
}

import Testing

/// Annotated schemas with diagnostics about names.
@Suite struct NameFixtureTests {
  @Test func reservedMembers() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var schemaMetadata: Int
      //      ^~~~~~~~~~~~~~ error[NAM004]: every model already has a member 'schemaMetadata'
          var hashValue: Int
      //      ^~~~~~~~~ error[NAM004]: every model already has a member 'hashValue'
          var `self`: Int
      //      ^~~~~~ error[NAM004]: every model already has a member 'self'
          var `init`: Int
      //      ^~~~~~ error[NAM004]: every model already has a member 'init'
          var Root: Int
      //      ^~~~ error[NAM004]: every model already has a nested type 'Root'
          var ID: Int
      //      ^~ error[NAM004]: every model already has a nested type 'ID'
          var _$x: Int
      //      ^~~ error[NAM004]: names that begin with '_$' are reserved for generated code
        }
        @Model class B { var id: UUID; var root: Int; var description: String; var isDeleted: Bool; var hash: Int }
        @Model class C { var persistentModelID: Int; var modelContext: Int; var hasChanges: Bool }
        struct Type: Codable { var x: Int }
      //       ^~~~ error[NAM004]: 'Type' cannot be the name of a nested type
      """#)
  }

  @Test func keywordsAndOperatorsAreNotNames() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class _ { var x: Int }
      //             ^ error[SYN001]: '_' is not a valid Swift name
        @Model class A { var $x: Int; var `_`: Int }
      //                     ^~ error[SYN001]: '$x' is not a valid Swift name
      //                                  ^~~ error[SYN001]: '`_`' is not a valid Swift name
        @Model class Self { var self: Int }
      //             ^~~~ error[SYN001]: keyword 'Self' cannot be used as a name
      //                        ^~~~ error[SYN001]: keyword 'self' cannot be used as a name
        @Model class Any { var x: Int }
      //             ^~~ error[SYN001]: keyword 'Any' cannot be used as a name
        enum E: String { case _, a }
      //                      ^ error[SYN001]: '_' is not a valid Swift name
        @Model class B { var `a b`: Int; var `1`: Int; var `in`: Int; var `+`: Int }
      //                     ^~~~~ error[SYN001]: a name must consist of letters, digits and '_', and cannot begin with a digit
      //                                     ^~~ error[SYN001]: a name must consist of letters, digits and '_', and cannot begin with a digit
      //                                                                  ^~~ error[SYN001]: a name must consist of letters, digits and '_', and cannot begin with a digit
        @Model class C { var `Protocol`: Int; var `é1`: Int }
      //                     ^~~~~~~~~~ error[NAM004]: every model already has a member 'Protocol'
        enum F: Codable { static let x = 1 }
      //     ^ error[SYN015]: enum 'F' has no cases and therefore no value to store
      """#)
  }

  /// Folder names and file names contain the schema's name.
  @Test func schemaNamesMustBeIdentifiers() {
    expectDiagnostics(
      #"""
        schema `../x/Cargo` 1.0.0
      //       ^~~~~~~~~~~~ error[SYN001]: a name must consist of letters, digits and '_', and cannot begin with a digit
        @Model class A { var x: Int }
      """#)
    expectDiagnostics(
      #"""
        schema `Trips` 1.0.0
        @Model class A { var x: Int }
      """#)
    expectDiagnostics(
      #"""
        schema _ 1.0.0
      //       ^ error[SYN001]: '_' is not a valid Swift name
        @Model class A { var x: Int }
      """#)
  }

  @Test func redundantModelConformances() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @MainActor @Observable
      //^~~~~~~~~~ error[SYN015]: a model belongs to its context and cannot be isolated to '@MainActor'
      //           ^~~~~~~~~~~ error[SYN015]: every model is already observable
        @Model class A: PersistentModel, Identifiable { var x: Int }
        @Model class B: NSObject { var x: Int }
      //                ^~~~~~~~ error[SYN015]: a model can only inherit from models, and 'NSObject' is not a model
      """#)
  }

  @Test func modelsCannotBeSendable() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A: Hashable, Sendable { var x: Int }
      //                          ^~~~~~~~ error[SYN015]: model 'A' belongs to its context and cannot be 'Sendable'
        @Model class B: @unchecked Sendable { var x: Int }
      """#)
  }

  @Test func namesThatDifferOnlyByCase() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var Name: String }
      //                                          ^~~~ error[NAM005]: 'Name' and 'name' differ only in case
        @Model class TRIP { var x: Int }
      //             ^~~~ error[NAM005]: 'TRIP' and 'Trip' differ only in case
      """#)
  }

  @Test func generatedNames() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class SSchema {
      //             ^~~~~~~ error[NAM006]: 'SSchema' is the name of a type generated for the schema
          typealias Root = Int
      //            ^~~~ error[NAM006]: 'Root' inside a model refers to its topmost superclass
          struct Snapshot {}
      //         ^~~~~~~~ error[NAM006]: 'Snapshot' is the name of a type generated in every model
          var x: Int
        }
        struct SMigrationPlan: Codable { var x: Int }
      //       ^~~~~~~~~~~~~~ error[NAM006]: 'SMigrationPlan' is the name of a type generated for the schema
        @Model class B { var Snapshot: Int }
      //                     ^~~~~~~~ error[NAM006]: 'Snapshot' is the name of a type generated in every model
      """#)
  }
}

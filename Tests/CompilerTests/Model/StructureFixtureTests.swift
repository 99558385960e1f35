import SchemaModel
import Testing

/// Annotated schemas with diagnostics about declarations.
@Suite struct StructureFixtureTests {
  @Test func versionForms() {
    expectDiagnostics(
      #"""
        schema S 1.2
      //         ^~~ error[SYN008]: '1.2' is not a version of the form major.minor.patch
        @Model class A { var x: Int }
      """#,
      fixed: #"""
          schema S 1.2.0
          @Model class A { var x: Int }
        """#)
  }

  @Test func versionMissing() {
    expectDiagnostics(
      #"""
        schema S
      //       ^ error[SYN008]: schema without a version
        @Model class A { var x: Int }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: Int }
        """#)
  }

  @Test func versionWithSuffix() {
    expectDiagnostics(
      #"""
        schema S 1.0.0-beta
      //         ^~~~~~~~~~ error[SYN008]: '1.0.0-beta' is not a version of the form major.minor.patch
      """#)
  }

  @Test func schemaWithoutName() {
    expectDiagnostics(
      #"""
        schema
        @Model class A { var x: Int }
      //^ error[SYN001]: expected the name of the schema, found '@'
      """#)
  }

  @Test func secondSchemaLine() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        schema T 1.0.0
      //^~~~~~~~~~~~~~ error[SYN003]: duplicate 'schema' line
      """#)
  }

  @Test func filesWithConflictingSchemaLines() {
    expectDiagnostics(
      #"""
      // file: a/A.schema
        schema S 1.0.0
        @Model class A { var x: Int }
      // file: a/B.schema
        schema S 1.1.0
      //         ^~~~~ error[SYN008]: schema 'S' has version 1.1.0 here and 1.0.0 in another file
        @Model class B { var x: Int }
      """#)
  }

  @Test func sameSchemaInTwoFolders() {
    expectDiagnostics(
      #"""
      // file: a/A.schema
        schema S 1.0.0
        @Model class A { var x: Int; @Relationship(inverse: \B.a) var bs: [B] = [] }
      // file: b/B.schema
        schema S 1.0.0
      //         ^~~~~ error[SYN003]: schema 'S' 1.0.0 is declared in two folders
        @Model class B { var x: Int; var a: A?; var k: K = .one }
      // file: c/C.schema
        schema S 1.0.0
      //         ^~~~~ error[SYN003]: schema 'S' 1.0.0 is declared in two folders
        @Model class A { var x: Int; @Relationship(inverse: \B.a) var bs: [B] = [] }
        enum K: Int, Codable { case one }
      """#)
  }

  @Test func aTypeAfterTheLastName() throws {
    let schema = try resolve(
      #"""
        schema S 1.0.0
        @Model class A { var x, y: Int?; var z, s: String; var u = 1, v: Bool; private var p, q: P? }
        struct P: Codable { var red, green, blue: Double; let a, b: [String], c: Int }
      """#)
    let types = schema.entity("A")?.properties.map { property -> ValueType? in
      if case .attribute(let attribute) = property { attribute.type } else { nil }
    }
    #expect(
      types == [
        .optional(.scalar(.int)), .optional(.scalar(.int)), .scalar(.string), .scalar(.string),
        .scalar(.int), .scalar(.bool), .optional(.structure("P")), .optional(.structure("P")),
      ])
    #expect(
      schema.structs.first?.fields.map(\.type) == [
        .scalar(.double), .scalar(.double), .scalar(.double), .array(.scalar(.string)),
        .array(.scalar(.string)), .scalar(.int),
      ])
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x, y = 1, z: Int }
      //                     ^ error[TYP001]: property 'x' has neither a type nor a default value
      """#)
  }

  @Test func twoSchemasInOneTarget() {
    expectDiagnostics(
      #"""
      // file: a/A.schema
        schema S 1.0.0
      //         ^~~~~ error[SYN003]: schema 'S' 1.0.0 is in the same target as version 2.0.0
        @Model class A { var x: Int }
      // file: b/A.schema
        schema S 2.0.0
        @Model class A { var x: Int }
      // file: b/B.schema
        schema T 1.0.0
        @Model class B { var x: Int }
        @Model class A { var x: Int }
      //             ^ error[SYN003]: 'A' is also declared in schema 'S' of the same target
        struct SSchema: Codable { var x: Int }
      //       ^~~~~~~ error[NAM006]: 'SSchema' is the name of a type generated for schema 'S'
        enum SMigrationPlan: String, Codable { case a }
      //     ^~~~~~~~~~~~~~ error[NAM006]: 'SMigrationPlan' is the name of a type generated for schema 'S'
      """#, isTarget: true)
    // Other callers can compile these files together.
    expectDiagnostics(
      #"""
      // file: a/A.schema
        schema S 1.0.0
        @Model class A { var x: Int }
      // file: b/A.schema
        schema S 2.0.0
        @Model class A { var x: Int }
      """#)
  }

  @Test func duplicatesAcrossFiles() {
    expectDiagnostics(
      #"""
      // file: a/A.schema
        schema S 1.0.0
        @Model class A { var x: Int; var x: String }
      //                                 ^ error[SYN003]: property 'x' is declared twice
      // file: a/B.schema
        schema S 1.0.0
        @Model class A { var x: Int }
      //             ^ error[SYN003]: 'A' is declared twice
        enum E: Codable { case a, a }
      //                          ^ error[SYN003]: case 'a' is declared twice
        struct E { var x: Int; var x: Int }
      //       ^ error[SYN003]: 'E' is declared twice
      """#)
  }

  @Test func refusedAtTopLevel() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        func f() {}
      //     ^ error[SYN015]: 'func' is not allowed at the top level of a schema file
        extension String {}
      //          ^~~~~~ error[SYN015]: 'extension' is not allowed at the top level of a schema file
        protocol P {}
      //         ^ error[SYN015]: 'protocol' is not allowed at the top level of a schema file
        typealias T = Int
      //          ^ error[SYN015]: 'typealias' is not allowed at the top level of a schema file
        let x = 3
      //    ^ error[SYN015]: 'let' is not allowed at the top level of a schema file
        actor Q {}
      //      ^ error[SYN015]: 'actor' is not allowed at the top level of a schema file
        #if DEBUG
      //^~~ error[SYN015]: '#if' is not allowed at the top level of a schema file
        class Z {}
        #endif
        @Model class A { var x: Int }
      """#)
  }

  @Test func classWithoutModel() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        class A { var x: Int }
      //      ^ error[SYN015]: class 'A' is not a '@Model'
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model
        class A { var x: Int }
        """#)
  }

  @Test func modelOnStruct() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model struct A { var x: Int }
      //       ^~~~~~ error[SYN005]: '@Model' applies only to classes
        @Model enum B: String, Codable { case x }
      //^~~~~~ error[SYN005]: '@Model' applies only to classes
      """#)
  }

  @Test func nestedModels() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        enum V1: VersionedSchema {
          @Model class A { var x: Int }
      //               ^ error[SYN015]: a '@Model' class cannot be inside another type
        }
      """#)
  }

  @Test func genericModel() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A<T> { var x: Int }
      //             ^ error[SYN015]: generic type 'A' cannot be part of a schema
      """#)
  }

  @Test func conditionalMembers() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int
          #if DEBUG
      //  ^~~ error[SYN015]: '#if' is not allowed in a schema type
          var y: Int
          #endif
        }
        enum E: Codable {
          case a
          #if DEBUG
      //  ^~~ error[SYN015]: '#if' is not allowed in a schema type
          case b
          #endif
        }
      """#)
  }

  @Test func foreignMacroAndAttribute() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          #Preview("x")
      //  ^~~~~~~~ error[SYN015]: macro '#Preview' cannot be expanded in a schema
          #Uniqe<A>([\.x])
      //  ^~~~~~ error[SYN002]: unknown macro '#Uniqe'
          @Published var x: Int
      //   ^~~~~~~~~ error[SYN015]: '@Published' cannot be applied to a stored property of a model
          @Atribute(.unique) var y: Int
      //   ^~~~~~~~ error[SYN002]: unknown attribute '@Atribute'
          @attribute(.unique) var z: Int
      //   ^~~~~~~~~ error[SYN002]: unknown attribute '@attribute'
          @MainActor var w: Int
        }
      """#)
  }

  @Test func observers() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int = 1 { didSet { print(oldValue) } }
      //                   ^~~~~~ warning[SYN016]: as in SwiftData, observers of 'x' are not called
          var y: Int {
            willSet { }
      //    ^~~~~~~ warning[SYN016]: as in SwiftData, observers of 'y' are not called
          }
        }
      """#)
  }

  @Test func lazyAndWeak() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          lazy var x: Int = 3
      //  ^~~~ error[SYN015]: a stored property of a model cannot be 'lazy'
          weak var y: A?
      //  ^~~~ error[SYN015]: a stored property of a model cannot be 'weak'
          @Relationship(inverse: \A.y) var z: A?
        }
      """#)
  }

  @Test func mixedBindings() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x: Int = 1, y: Int { 2 } }
      //                                 ^ error[SYN015]: stored and computed properties cannot share a declaration
      """#)
  }

  @Test func inheritance() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A: B { var x: Int }
      //                ^ error[SYN017]: a model cannot inherit from itself: A : B : A
        @Model class B: A { var y: Int }
        @Model class C { var z: Int }
        @Model class D: C { var z: Int; var Z: Int }
      //                        ^ error[SYN003]: property 'z' is inherited and cannot be declared again
      //                                    ^ error[NAM005]: 'Z' and 'z' differ only in case
        @Model class E: C, D, Codable { var w: Int }
      //                   ^ error[SYN006]: a model cannot inherit from two models, 'C' and 'D'
      """#)
  }
}

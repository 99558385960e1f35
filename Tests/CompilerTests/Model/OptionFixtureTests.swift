import Testing

/// Annotated schemas with diagnostics about options.
@Suite struct OptionFixtureTests {
  @Test func unknownOptions() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(.uniqe) var x: Int
      //             ^~~~~~ error[SYN002]: unknown option '.uniqe' of '@Attribute'
          @Attribute(.unique, orignalName: "y") var y: Int
      //                      ^~~~~~~~~~~ error[SYN002]: unknown argument 'orignalName' of '@Attribute'
          @Relationship(.casade, inverse: nil) var z: A?
      //                ^~~~~~~ error[SYN002]: unknown option '.casade' of '@Relationship'
          @Relationship(deleteRule: .nulify, inverse: nil) var w: A?
      //                            ^~~~~~~ error[SYN002]: unknown option '.nulify' of 'deleteRule'
          @Attribute(.unique, onConflict: .kep) var v: Int
      //                                  ^~~~ error[SYN002]: unknown option '.kep' of 'onConflict'
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
            @Attribute(.unique) var x: Int
            @Attribute(.unique, originalName: "y") var y: Int
            @Relationship(.cascade, inverse: nil) var z: A?
            @Relationship(deleteRule: .nullify, inverse: nil) var w: A?
            @Attribute(.unique, onConflict: .keep) var v: Int
          }
        """#)
  }

  @Test func unknownOptionsWithoutSuggestion() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model(name: "x") class A {
      //       ^~~~~~~~~ error[SYN002]: '@Model' takes no argument except 'originalName'
          @Attribute(.somethingElse) var x: Int
      //             ^~~~~~~~~~~~~~ error[SYN002]: unknown option '.somethingElse' of '@Attribute'
          @Relationship(.somethingElse, color: 3, inverse: nil) var y: A?
      //                ^~~~~~~~~~~~~~ error[SYN002]: unknown option '.somethingElse' of '@Relationship'
      //                                ^~~~~ error[SYN002]: unknown argument 'color' of '@Relationship'
          #Index<A>(.hash([\.x]), unique: true)
      //            ^~~~~~~~~~~~ error[SYN002]: unknown option '.hash' of '#Index'
      //                          ^~~~~~ error[SYN002]: unknown argument 'unique' of '#Index'
        }
      """#)
  }

  @Test func wrongValues() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(unique) var a: Int
      //             ^~~~~~ error[SYN001]: expected an option of '@Attribute' like '.unique'
          @Attribute(originalName: 3) var b: Int
      //                           ^ error[SYN001]: 'originalName' takes a string literal
          @Attribute(.transformable) var c: Int
      //             ^~~~~~~~~~~~~~ error[SYN001]: '.transformable' needs the transformer, as in '.transformable(by: ColorTransformer.self)'
          @Attribute(.unique, onConflict: 3) var d: Int
      //                      ^~~~~~~~~~~~~ error[SYN001]: 'onConflict' must be '.fail', '.replace' or '.keep'
          @Relationship(cascade, inverse: nil) var e: A?
      //                ^~~~~~~ error[SYN001]: expected an option of '@Relationship' like '.cascade'
          @Relationship(deleteRule: "cascade", inverse: nil) var f: A?
      //                            ^~~~~~~~~ error[SYN001]: 'deleteRule' must be '.nullify', '.cascade', '.deny' or '.noAction'
          @Relationship(maximumModelCount: "many", inverse: nil) var g: [A]
      //                                   ^~~~~~ error[SYN001]: 'maximumModelCount' must be a number or nil
          @Relationship(inverse: "a") var h: A?
      //                         ^~~ error[SYN001]: 'inverse' must be a key path such as '\Trip.items', or nil
        }
      """#)
  }

  @Test func duplicateOptions() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(.unique, .unique) var a: Int
      //                      ^~~~~~~ error[SYN004]: '.unique' is given twice
          @Attribute(originalName: "b", originalName: "c") var b: Int
      //                                ^~~~~~~~~~~~~~~~~ error[SYN004]: 'originalName' is given twice
          @Attribute(.json, .raw) var c: [Int]
      //                    ^~~~ error[SYN004]: the storage form is given twice
          @Relationship(.cascade, deleteRule: .deny, inverse: nil) var d: A?
      //                          ^~~~~~~~~~~~~~~~~ error[SYN004]: the delete rule is given twice
          @Relationship(.ordered, .ordered, inverse: nil) var e: [A]
      //                          ^~~~~~~~ error[SYN004]: '.ordered' is given twice
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
            @Attribute(.unique) var a: Int
            @Attribute(originalName: "b") var b: Int
            @Attribute(.json) var c: [Int]
            @Relationship(.cascade, inverse: nil) var d: A?
            @Relationship(.ordered, inverse: nil) var e: [A]
          }
        """#)
  }

  @Test func repeatedAttributes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model @Model class A {
      //       ^~~~~~ error[SYN004]: '@Model' is written twice
          @Attribute(.unique) @Attribute(.spotlight) var a: Int
      //                      ^~~~~~~~~~~~~~~~~~~~~~ error[SYN004]: '@Attribute' is written twice
          @Transient @Transient var b: Int?
      //             ^~~~~~~~~~ error[SYN004]: '@Transient' is written twice
          @Relationship(inverse: nil) @Relationship(.cascade) var c: A?
      //                              ^~~~~~~~~~~~~~~~~~~~~~~ error[SYN004]: '@Relationship' is written twice
        }
      """#)
  }

  @Test func notApplicable() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Relationship @Model class A {
      //^~~~~~~~~~~~~ error[SYN005]: '@Relationship' applies to properties, not to classes
          @Relationship var a: Int
      //  ^~~~~~~~~~~~~ error[SYN005]: '@Relationship' applies to models, but the type of 'a' is not a model
          @Attribute(.unique) var b: A?
      //             ^~~~~~~ error[SYN005]: '.unique' does not apply to a relationship
      //                          ^ warning[REL001]: relationship 'A.b' has no inverse
          @Attribute(.json) var c: Int
      //             ^~~~~ error[SYN005]: '.json' applies only to a Codable value
          @Attribute(.flattened) var d: [Int]
      //             ^~~~~~~~~~ error[SYN005]: '.flattened' applies only to a struct declared in the schema
          @Attribute(.fullText) var e: Int
      //             ^~~~~~~~~ error[SYN018]: '.fullText' is not supported: stores have no full-text index
          @Attribute(onConflict: .keep) var f: Int
      //             ^~~~~~~~~~~~~~~~~ error[SYN005]: 'onConflict' has no effect without '.unique'
          @Relationship(.ordered, inverse: nil) var g: A?
      //                ^~~~~~~~ error[SYN005]: '.ordered' applies only to to-many relationships
          @Attribute(.spotlight) var h: Int { 3 }
      //  ^~~~~~~~~~~~~~~~~~~~~~ error[SYN005]: '@Attribute' applies only to stored properties
          @Attribute(.externalStorage) var i: Int
      //             ^~~~~~~~~~~~~~~~ error[TYP009]: '.externalStorage' applies to 'Data' and 'String', not to 'Int'
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
             var a: Int
            @Attribute() var b: A?
            @Attribute() var c: Int
            @Attribute() var d: [Int]
            @Attribute() var e: Int
            @Attribute() var f: Int
            @Relationship(inverse: nil) var g: A?
            var h: Int { 3 }
            @Attribute() var i: Int
          }
        """#)
  }

  @Test func conflictingOptions() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Transient @Attribute(.unique) var a: Int?
      //                        ^~~~~~~ error[SYN006]: '.unique' and '@Transient' cannot be combined
          @Attribute(.ephemeral, .preserveValueOnDeletion) var b: Int
      //                         ^~~~~~~~~~~~~~~~~~~~~~~~ error[HIS003]: 'b' is '.ephemeral', so it has no stored value to preserve
          @Transient @Relationship var c: A?
      //             ^~~~~~~~~~~~~ error[SYN006]: a '@Transient' property cannot be a relationship
          @Transient @Attribute(.preserveValueOnDeletion) var d: Int?
      //                        ^~~~~~~~~~~~~~~~~~~~~~~~ error[HIS003]: 'd' is '@Transient', so it has no stored value to preserve
          @Attribute(.preserveValueOnDeletion) @Relationship(inverse: nil) var e: A?
      //             ^~~~~~~~~~~~~~~~~~~~~~~~ error[HIS006]: 'e' is a relationship, but history only preserves values
        }
      """#)
  }

  @Test func modelsNamedLikeKeywordsCanHaveIndexes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class `default` {
          #Index<`default`>([\.a])
          #Unique<App.`default`>([\.b])
          #Index<Other>([\.b])
      //         ^~~~~ error[SYN007]: '#Index' inside 'default' applies only to 'default'
          #Index<[`default`]>([\.b])
      //         ^~~~~~~~~~~ error[SYN007]: '#Index' inside 'default' applies only to 'default'
          var a: Int
          var b: Int
        }
      """#)
  }

  @Test func uniqueAndIndex() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          #Unique<A>([\.a], [\.nmae], [\.items], [\.tags], [\.weather], [\.a, \.a])
      //                       ^~~~ error[SYN007]: 'A' has no property 'nmae'
      //                               ^~~~~~~ error[UNQ007]: '#Unique' cannot contain to-many relationship 'items'
      //                                          ^~~~~~ error[TYP015]: '#Unique' cannot contain the collection 'tags'
      //                                                    ^~~~~~~~~ error[UNQ007]: '#Unique' cannot contain '@Transient' property 'weather'
      //                                                                      ^~~ error[SYN004]: 'a' is listed twice
          #Index<B>([\.a], [\.items], [\.tags], [\.home.city], "a", .binary(3))
      //         ^ error[SYN007]: '#Index' inside 'A' applies only to 'A'
      //                    ^~~~~~~ error[SYN005]: '#Index' cannot contain to-many relationship 'items'
      //                               ^~~~~~ error[TYP015]: '#Index' cannot contain the collection 'tags'
      //                                         ^~~~~~~~~~~ error[SYN007]: a key path in '#Index' must name a property of the model itself
      //                                                       ^~~ error[SYN001]: '#Index' takes lists of key paths like '[\.name, \.date]'
      //                                                            ^~~~~~~~~~ error[SYN001]: '#Index' takes lists of key paths like '[\.name, \.date]'
          #Unique<A>([\.missing])
      //                ^~~~~~~ error[SYN007]: 'A' has no property 'missing'
          var a: Int
          var name: String
          var tags: [String]
          var home: Home
          @Transient var weather: Int?
          @Relationship(inverse: nil) var items: [A]
          @Relationship(.unique, inverse: nil) var others: [A]
      //                ^~~~~~~ error[UNQ007]: to-many relationship 'others' cannot be unique
          @Attribute(.unique) var list: [Int]
      //             ^~~~~~~ error[TYP015]: 'list' is a collection and cannot be unique
        }
        struct Home: Codable { var city: String }
      """#)
  }

  @Test func mutuallyExclusiveStorageOptions() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        struct P: Codable { var a: Int }
        enum K: String, Codable { case x }
        enum L: Codable { case x(Int) }
        struct Q: Codable { var a: Int; init(_ a: Int) { self.a = a } }
        @Model class A {
          #Index<A>([\.p.a], [\.p.b])
      //                     ^~~~~~~ error[SYN007]: 'P' has no property 'b'
          @Attribute(.flattened) var p: P
          @Attribute(.raw) var q: P
      //             ^~~~ error[SYN005]: '.raw' applies only to a type with raw values
          @Attribute(.raw) var l: L
      //             ^~~~ error[SYN005]: '.raw' applies only to a type with raw values
          @Attribute(.raw) var k: K
          @Attribute(.codable, .flattened) var r: P
      //                       ^~~~~~~~~~ error[SYN006]: '.flattened' and '.codable' cannot be combined
          @Attribute(.unknown(.default)) var m: K
      //             ^~~~~~~~~~~~~~~~~~ error[SYN005]: '.unknown(.default)' needs a default value, and 'm' has none
          @Attribute(.unknown(.default)) var n: K?
          @Attribute(.unknown(.fail)) var o: Int
      //             ^~~~~~~~~~~~~~~ error[SYN005]: '.unknown' applies only to an enum or another Codable type
          @Attribute(.unique, .externalStorage) var d: Data
      //                      ^~~~~~~~~~~~~~~~ error[SYN006]: '.externalStorage' and '.unique' cannot be combined
          @Attribute(.flattened) var s: Q
      //                             ^ error[SYN005]: 's' cannot be '.flattened': 'Q' has a custom initializer or private properties, so it cannot be created from its fields
        }
      """#)
  }
}

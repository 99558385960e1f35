import Testing

/// Formatting keeps the tokens of copied Swift code and only moves its lines.
struct CarriedTests {
  @Test func copiedLinesMoveTogether() {
    expectLayout(
      """
      struct A {
              func f(x: Int,
                     y: Int) -> Int {
                  let z=x+y


                  return z   /* end */
              }
              var size: Int{
                  get{ 1 }
                  set   { }
              }
              var make: () -> Int = {
                  5
              }
      }
      """,
      """
      struct A {
          func f(x: Int,
                 y: Int) -> Int {
              let z=x+y

              return z   /* end */
          }
          var size: Int {
              get{ 1 }
              set   { }
          }
          var make: () -> Int = {
              5
          }
      }

      """)
  }

  @Test func twoSpaceIndentationBecomesFour() {
    expectLayout(
      """
      struct A {
        init() {
          if true {
            a = 1
          }
        }
      \tfunc g() {
      \t\tb()
      \t}
      }
      """,
      """
      struct A {
          init() {
              if true {
                  a = 1
              }
          }
          func g() {
              b()
          }
      }

      """)
  }

  @Test func multilineLiteralsKeepTheirBytes() {
    expectLayout(
      """
      struct A {
        func f() -> String {
          let a = \"\"\"
            text \u{20}

          \\(x)
          \"\"\"
          return a
        }
        var b = \"\"\"
         x
        \"\"\"
      }
      """,
      """
      struct A {
          func f() -> String {
              let a = \"\"\"
            text \u{20}

          \\(x)
          \"\"\"
              return a
          }
          var b = \"\"\"
         x
        \"\"\"
      }

      """)
  }

  @Test func valuesOnASeparateLine() {
    expectLayout(
      """
      struct A {
          var a: Int =
            5
          var aLongName: [String: [String: Int]] =
            ["a long key of many letters": ["another": 1], "and one more": ["and its own": 2]]
          var list = [
            1,
            2,
          ]
      }
      """,
      """
      struct A {
          var a: Int = 5
          var aLongName: [String: [String: Int]] =
              ["a long key of many letters": ["another": 1], "and one more": ["and its own": 2]]
          var list = [
              1,
              2,
          ]
      }

      """)
  }

  /// As in Swift, a brace on a separate line ends a value only if it contains accessors.
  @Test func bracesOnASeparateLine() {
    expectLayout(
      """
      struct A {
        static let recent = #Predicate<A>
        { a in
          a.b
        }
        var count: Int = 1
        { didSet { } }
      }
      """,
      """
      struct A {
          static let recent = #Predicate<A>
          { a in
              a.b
          }
          var count: Int = 1 { didSet { } }
      }

      """)
  }

  @Test func conditionalCompilation() {
    expectLayout(
      """
      @Model class A {
      #if DEBUG
      var a: Int
      #endif
        var b: Int
      }
      """,
      """
      @Model
      class A {
          #if DEBUG
          var a: Int
          #endif
          var b: Int
      }

      """)
  }

  @Test func typesComparedByTextKeepTheirText() {
    expectLayout(
      "struct A: Box<Int,String>, @unchecked  Sendable { var a: Pair<Int,\n  String>; var b:any  P; var c:Set<Int > }",
      """
      struct A: Box<Int,String>, @unchecked  Sendable {
          var a: Pair<Int, String>
          var b: any  P
          var c: Set<Int>
      }

      """)
  }
}

import Testing

/// Annotated schemas with diagnostics about syntax.
@Suite struct SyntaxFixtureTests {
  @Test func unexpectedWordAtTopLevel() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        hello world
      //^~~~~ error[SYN001]: expected a declaration ('schema', 'import', '@Model class', 'enum', 'struct'), found 'hello'
        @Model class A { var x: Int }
      """#)
  }

  /// A backslash in a raw string does not escape the quote after it.
  @Test func rawStringsCanEndWithABackslash() {
    expectDiagnostics(
      ##"""
        schema S 1.0.0
        @Model class A { var folder: String = #"C:\"#; var x: Itn }
      //                                                      ^~~ error[TYP001]: unknown type 'Itn'
      """##)
  }

  @Test func misspeltKeyword() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        strutc P: Codable { var x: Int }
      //^~~~~~ error[SYN002]: unknown word 'strutc'
        @Model class A {
          vra x: Int
      //  ^~~ error[SYN002]: unknown word 'vra'
          var y: Int
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          struct P: Codable { var x: Int }
          @Model class A {
            var x: Int
            var y: Int
          }
        """#)
  }

  @Test func missingColon() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x Int }
      //                       ^~~ error[SYN001]: expected ':' between the name and the type
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: Int }
        """#)
  }

  @Test func aMissingTypeIsASingleError() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x:
      //        | error[SYN001]: expected a type, found the end of the line
          var y: Int
        }
      """#)
  }

  @Test func missingParenthesis() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(.unique var x: Int
      //            ^ error[SYN001]: '(' without a matching ')'
          var y: Int
        }
      """#)
  }

  @Test func missingParenthesisBeforeNextLine() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(.unique, originalName: "b"
      //            ^ error[SYN001]: '(' without a matching ')'
          var x: Int
          var y: Int = max(1, 2
      //                  ^ error[SYN001]: '(' without a matching ')'
          var z: Int
        }
      """#)
  }

  @Test func missingBracket() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: [Int = []
      //         ^ error[SYN001]: '[' without a matching ']'
          var y: Int
        }
      """#)
  }

  @Test func missingBrace() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
      //               ^ error[SYN001]: '{' without a matching '}'
          var x: Int
        @Model class B {
          var y: Int
        }
      """#)
  }

  @Test func missingBraceOfMethod() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
      //               ^ error[SYN001]: '{' without a matching '}'
          var x: Int
          func f() {
            if x > 1 {
          }
        }
        @Model class B {
          var y: Int
        }
      """#)
  }

  @Test func extraBrace() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int
        } }
      //  ^ error[SYN001]: '}' without a matching '{'
        @Model class B { var y: Int }
      """#)
  }

  @Test func missingBody() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A
      //              | error[SYN001]: expected '{' and the members of the class, found the end of the line
        @Model class B { var y: Int }
      """#)
  }

  @Test func implicitlyUnwrapped() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x: String! }
      //                              ^ error[SYN001]: schema properties cannot be implicitly unwrapped with '!'
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: String? }
        """#)
  }

  @Test func nullIsNil() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x: String? = null }
      //                                  ^~~~ error[SYN001]: 'null' is written 'nil' in Swift
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: String? = nil }
        """#)
  }

  @Test func semicolons() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int;
      //            ^ warning[SYN001]: ';' at the end of a line has no effect
          var y: Int; var z: Int
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
            var x: Int
            var y: Int; var z: Int
          }
        """#)
  }

  @Test func curlyQuotes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x: String = “hello” }
      //                                 ^~~~~~~~~~~ error[SYN001]: a string cannot be enclosed in curly quotation marks
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: String = "hello" }
        """#)
  }

  @Test func unpairedCurlyQuote() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: String = “hello
      //                  ^~~~~~~~ error[SYN001]: a string cannot be enclosed in curly quotation marks
          var y: Int
        }
      """#)
  }

  @Test func unterminatedString() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: String = "hello
      //                  ^~~~~~ error[SYN001]: unterminated string literal
          var y: Int
        }
      """#)
  }

  @Test func unterminatedComment() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var x: Int }
        /* and so on
      //^~ error[SYN001]: unterminated '/*' comment
      """#)
  }

  @Test func unpairedBacktick() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var `x: Int }
      //                     ^ error[SYN001]: unpaired '`'
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var x: Int }
        """#)
  }

  @Test func mergeMarkers() {
    expectDiagnostics(
      #"""
      schema S 1.0.0
      @Model class A {
      <<<<<<< HEAD
      //<~~~~~~~~~~~ error[SYN001]: version control conflict marker in schema file
        var x: Int
      =======
        var y: Int
      >>>>>>> other
      }
      """#)
  }

  @Test func keywordAsName() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var class: Int; var default: Int = 1; var `switch`: Bool }
      //                     ^~~~~ error[SYN001]: keyword 'class' cannot be used as a name
      //                                     ^~~~~~~ error[SYN001]: keyword 'default' cannot be used as a name
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A { var `class`: Int; var `default`: Int = 1; var `switch`: Bool }
        """#)
  }

  @Test func tuplePattern() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          let (a, b) = (1, 2)
      //      ^ error[SYN001]: a property must have a single name, not a pattern
          var c: Int
        }
      """#)
  }

  @Test func missingNames() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class { var x: Int }
      //             ^ error[SYN001]: expected the name of the class, found '{'
        @Model class B { var : Int }
      //                     ^ error[SYN001]: expected the name of the property, found ':'
        enum E: Int { case }
      //                   ^ error[SYN001]: expected the name of the case, found '}'
      """#)
  }

  /// Copied declarations need a name; without it, they would be joined with the next line.
  @Test func missingNamesOfCopiedDeclarations() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          class ; var
      //        ^ error[SYN001]: expected a name after 'class', found ';'
          size: Int { 1 }
          func
      //      | error[SYN001]: expected a name after 'func', found the end of the line
          var b: Int
          init {
      //       ^ error[SYN001]: expected '(' and the parameters of the 'init', found '{'
          }
          subscript ; deinit }
      //            ^ error[SYN001]: expected '(' and the parameters of the 'subscript', found ';'
      //                     ^ error[SYN001]: expected '{' and the body of the 'deinit', found '}'
      """#)
  }

  @Test func namesOfCopiedDeclarationsOnTheNextLine() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          typealias
            Name = String
          class
          func f() { }
          func
            g() { }
          init
            (x: Int) { }
          init?<T>(x: T) { nil }
          init!(y: Int) { nil }
          subscript<T>(x: T) -> Int { 1 }
          deinit
          { }
          var b: Int
        }
      """#)
  }

  @Test func missingDefault() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int =
      //              | error[SYN001]: expected a value after '=', found the end of the line
          var y: Int
        }
      """#)
  }

  @Test func missingComma() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Attribute(.unique .spotlight) var x: Int
      //                     ^ error[SYN001]: expected ',', found '.'
        }
      """#)
  }

  @Test func strayEndif() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int
          #endif
      //  ^~~~~~ error[SYN001]: '#endif' without a matching '#if'
        }
      """#)
  }

  @Test func tokensAfterDeclaration() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Int "hello"
      //             ^~~~~~~ error[SYN001]: unexpected a literal after the declaration
          var y: Int
        }
      """#)
  }

  @Test func emptyGenericArguments() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var x: Set<Int = []
      //                 ^ error[SYN001]: expected '>', found '='
          var y: Int
        }
      """#)
  }

  @Test func enumPayloadProblems() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        enum E: Codable {
          case a(Int String)
      //             ^~~~~~ error[SYN001]: expected ',' or ')', found 'String'
          case b(
      //        ^ error[SYN001]: '(' without a matching ')'
          case c
        }
      """#)
  }

  @Test func migrationProblems() {
    expectDiagnostics(
      #"""
        schema S 1.1.0
        migration from { }
      //               ^ error[SYN001]: expected the version the migration starts from, found '{'
        migration from 1.0.0
        @Model class A { var x: Int }
      //^ error[SYN001]: expected '{' and the steps of the migration, found '@'
      """#)
  }
}

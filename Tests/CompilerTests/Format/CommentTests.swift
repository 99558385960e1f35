import Testing

/// Comments stay with their declarations.
struct CommentTests {
  @Test func leadingAndTrailingComments() {
    expectLayout(
      """
      // licence

      schema S 1.0.0 // the first
      // about A
      //
      /// A.\u{20}
      @Model // a model
      class A { // begins
      // MARK: - values

            // schema:ignore DOC001 -- obvious
          var a: Int // schema:ignore NAM001 -- short
          /// Not of b.

          var b: Int; // behind


          // last
      }
      // end of A

      /* of B */ enum B { case b /* only */ }
      // end
      """,
      """
      // licence

      schema S 1.0.0  // the first

      // about A
      //
      /// A.
      @Model  // a model
      class A {  // begins
          // MARK: - values

          // schema:ignore DOC001 -- obvious
          var a: Int  // schema:ignore NAM001 -- short
          /// Not of b.

          var b: Int  // behind

          // last
      }
      // end of A

      /* of B */ enum B { case b /* only */ }
      // end

      """)
  }

  /// Without the semicolon, the comment would belong to the next declaration.
  @Test func semicolonsSeparateComments() {
    expectLayout("/** Of nothing. */ ; enum A { case a }", "/** Of nothing. */ ;\nenum A { case a }\n")
    expectLayout(
      "struct A { var a: Int\n/** Of nothing. */ ; var b: Int }",
      "struct A {\n    var a: Int\n    /** Of nothing. */ ;\n    var b: Int\n}\n")
  }

  @Test func commentsInsideLists() {
    expectLayout(
      """
      @Model class A {
          @Relationship(deleteRule: .cascade, // goes with it
             /* the other side */ inverse: \\B.a) var b: B?
          #Unique<A>([\\.a, // first
            \\.b])
          @Attribute(/* short */ .unique) var c: Int
          @Attribute(.unique,) // alone
          var d: Int
      }
      enum E {
          case a, // first
               b
          // the rest
          case c(Int /* count */, String)
      }
      """,
      """
      @Model
      class A {
          @Relationship(
              deleteRule: .cascade,  // goes with it
              /* the other side */ inverse: \\B.a
          )
          var b: B?
          #Unique<A>(
              [
                  \\.a,  // first
                  \\.b
              ]
          )
          @Attribute(/* short */ .unique) var c: Int
          @Attribute(.unique)  // alone
          var d: Int
      }

      enum E {
          case a,  // first
              b
          // the rest
          case c(Int /* count */, String)
      }

      """)
  }

  @Test func blockCommentLinesMoveTogether() {
    expectLayout(
      """
      struct A {
        /**
         * What it is.\u{20}
           Indented.
         */
        var a: Int /* behind
        it */
        /*
      flush
        */
      }
      """,
      """
      struct A {
          /**
           * What it is.
             Indented.
           */
          var a: Int /* behind
        it */
          /*
        flush
          */
      }

      """)
  }

  @Test func commentsInMigrations() {
    expectLayout(
      """
      migration from 1.0.0 { // begins
        // why
        custom a // behind


        fill A.b = old.x // x
        /* all */ }
      """,
      """
      migration from 1.0.0 {  // begins
          // why
          custom a  // behind

          fill A.b = old.x  // x
          /* all */
      }

      """)
  }
}

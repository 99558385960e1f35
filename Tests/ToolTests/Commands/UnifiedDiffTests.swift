import SchemaCommands
import Testing

/// Tests of differences in the format of `diff -u`.
struct UnifiedDiffTests {
  private func difference(_ old: String?, _ new: String) -> String {
    UnifiedDiff.text(from: old.map { Array($0.utf8) }, to: Array(new.utf8), path: "f")
  }

  @Test func severalHunks() {
    let old = (1...30).map { "\($0)\n" }
    var new = old
    new.remove(at: 2)
    new[3] = "five\n"
    new.insert("inserted\n", at: 19)
    new[new.count - 1] = "30"
    #expect(
      difference(old.joined(), new.joined()) == """
        --- f
        +++ f
        @@ -1,8 +1,7 @@
         1
         2
        -3
         4
        -5
        +five
         6
         7
         8
        @@ -18,6 +17,7 @@
         18
         19
         20
        +inserted
         21
         22
         23
        @@ -27,4 +27,4 @@
         27
         28
         29
        -30
        +30
        \\ No newline at end of file

        """)
  }

  @Test func newEqualAndEmptyFiles() {
    #expect(difference("a\n", "a\n") == "")
    #expect(difference(nil, "a\n") == "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n")
    #expect(difference("a\n", "") == "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n")
    #expect(difference("a\n", "a\r\n") == "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+a\r\n")
  }
}

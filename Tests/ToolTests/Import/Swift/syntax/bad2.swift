@Model final class Ok { var a: Int = 0 }
@Model final class Unclosed { var a: Int = 0
 func f() { if true { }

@Model final class Broken { var a: Int = ; var b: String
  func x( { }
}

import Trellis

extension Article {
  public var isFree: Bool { price == 0 }
}

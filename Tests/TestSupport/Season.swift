// Types that models in other modules store. The generator does not see these declarations.

public enum Season: String, Codable, Sendable { case spring, summer }

public enum Rank: Int, Codable, Sendable { case low = 1, high = 10 }

public struct Marks: OptionSet, Codable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let rare = Marks(rawValue: 1)
  public static let edible = Marks(rawValue: 2)
}

/// A height that may be unknown. An unknown height differs from a missing height.
public struct Height: RawRepresentable, Codable, Equatable, Sendable {
  public var rawValue: Int?
  public init(rawValue: Int?) { self.rawValue = rawValue }
}

// Type aliases, which the generator only sees by name.

public typealias PossibleRank = Rank?
public typealias Cents = Int
public typealias Label = String
public typealias PossibleLabel = String?
public typealias PossibleSoil = Soil?
public typealias Mark = Marks

public enum Soil: Codable, Equatable, Sendable { case sand, clay(depth: Int) }

struct Missing: Codable, Sendable {}
struct Missing2: Codable, Sendable {}

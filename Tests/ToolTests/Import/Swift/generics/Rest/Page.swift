struct Page<Element: Codable & Sendable>: Codable, Sendable { var items: [Element] }

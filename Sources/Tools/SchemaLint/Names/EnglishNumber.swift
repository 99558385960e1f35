/// Estimates from the ending whether an English word is singular or plural.
package enum EnglishNumber {
  private static let irregular: [String: String] = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
    "feet": "foot", "teeth": "tooth", "geese": "goose", "criteria": "criterion", "indices": "index",
    "vertices": "vertex", "matrices": "matrix", "leaves": "leaf", "shelves": "shelf", "knives": "knife",
    "wolves": "wolf", "halves": "half", "lives": "life", "movies": "movie", "cookies": "cookie",
    "ties": "tie", "pies": "pie", "zombies": "zombie", "shoes": "shoe", "heroes": "hero",
    "potatoes": "potato", "tomatoes": "tomato", "echoes": "echo", "phases": "phase", "cases": "case",
    "caches": "cache", "axes": "axis",
  ]

  /// Singular words that end in s.
  private static let single: Set<String> = [
    "access", "address", "alias", "analytics", "athletics", "atlas", "bias", "bonus", "bus", "business", "campus",
    "canvas", "chess", "class", "clothes", "corps", "credentials", "details", "economics", "ethics", "gas",
    "glasses", "goods", "gps", "headquarters", "lens", "logistics", "mathematics", "means", "metrics", "news", "os",
    "physics", "pants", "politics", "preferences", "process", "progress", "sales", "savings", "scissors", "series",
    "settings", "sms", "species", "statistics", "stats", "success", "thanks", "this", "trousers", "always", "plus",
    "has", "is", "was", "does", "yes", "previous", "rss", "css", "https", "dns", "tls", "aws", "ios", "macos",
  ]

  package static func isPlural(_ word: String) -> Bool {
    let word = word.lowercased()
    if irregular[word] != nil { return true }
    guard word.count > 2, word.hasSuffix("s"), !single.contains(word) else { return false }
    return !["ss", "us", "is"].contains { word.hasSuffix($0) }
  }

  /// Returns a word's singular form.
  package static func singular(_ word: String) -> String {
    guard isPlural(word) else { return word }
    if let one = irregular[word.lowercased()] {
      return word.first?.isUppercase ?? false ? one.prefix(1).uppercased() + one.dropFirst() : one
    }
    let lower = word.lowercased()
    if lower.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    let hisses = ["sses", "shes", "ches", "xes", "zes", "uses"]
    return String(word.dropLast(hisses.contains { lower.hasSuffix($0) } && !lower.hasSuffix("auses") ? 2 : 1))
  }
}

enum Shop { @Model class Item { var kind: Kind = .a }
  enum Kind: String, Codable { case a } }
enum Zoo { enum Kind: Int, Codable { case lion }
  @Model class Animal { var kind: Kind = Kind.lion; var list: [Zoo.Kind] = [] } }

enum Mark: String, Codable { case none, done }

enum Status: Int, Codable { case open, done }

private enum State: String, Codable { case on }
@Model class Lamp { private var state: State = .on }

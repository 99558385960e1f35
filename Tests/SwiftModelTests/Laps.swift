import Trellis

/// A model in a Swift file that stores durations.
@Model
final class Lap {
  var name: String
  var time: Duration = .seconds(90)
  var pause: Duration?
  var splits: [Duration] = []
  var limit = Duration.milliseconds(1_500)

  init(_ name: String, _ time: Duration, pause: Duration? = nil) {
    self.name = name
    self.time = time
    self.pause = pause
  }
}

/// The same model, with the time as a number of seconds.
enum FormerLaps {
  @Model
  final class Lap {
    var name: String
    var time: Int = 0

    init(_ name: String, _ time: Int) {
      self.name = name
      self.time = time
    }
  }
}

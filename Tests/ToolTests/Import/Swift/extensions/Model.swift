import SwiftData
@Model final class Person { var name: String = ""; var mood: Mood = Mood.happy; var address: Address? ; var level: Person.Level = .low }

import SwiftData
import SwiftUI

@main struct JournalApp: App {
    var body: some Scene {
        WindowGroup { Text("") }
            .modelContainer(for: [SchemaV2.Entry.self, Reminder.self])
    }
}

func container() throws -> ModelContainer {
    try ModelContainer(for: Entry.self, Setting.self, migrationPlan: JournalPlan.self)
}

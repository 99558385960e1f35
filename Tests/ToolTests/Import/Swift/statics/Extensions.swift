extension Priority {
    /// What tasks begin with.
    public static let standard = Priority.medium
    var name: String { "\(self)" }
}
extension Task.State {
    static var initial: Self {
        .open
    }
}

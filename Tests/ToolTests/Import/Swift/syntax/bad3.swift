@Model final class NoName: { var a = 1 }
@Model struct NotAClass { var x = 1 }
@Model actor Act { var x = 1 }
@Model final class { var y = 2 }

final class Cache {}

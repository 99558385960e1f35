"""Measures SQLAlchemy 2 with psycopg 3 on the work of `./run bench --postgres`.

    pip install "sqlalchemy>=2" "psycopg[binary]>=3"
    python Benchmarks/Peers/sqlalchemy_rows.py postgresql+psycopg://trellis@/postgres?host=/tmp/FOLDER

Prints the median of three executions of each row, in milliseconds. The server must be the one of the other side.
"""

import random
import statistics
import sys
import time
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, create_engine, delete, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload


class Base(DeclarativeBase):
    pass


class Trip(Base):
    __tablename__ = "peer_trip"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    destination: Mapped[str]
    start_date: Mapped[datetime]
    end_date: Mapped[datetime]
    budget: Mapped[float]
    is_favorite: Mapped[bool]
    notes: Mapped[str | None]
    items: Mapped[list["Item"]] = relationship(back_populates="trip")


class Item(Base):
    __tablename__ = "peer_item"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    is_in_plan: Mapped[bool]
    trip_id: Mapped[int] = mapped_column(ForeignKey("peer_trip.id"), index=True)
    trip: Mapped[Trip] = relationship(back_populates="items")


def values(number: int) -> dict:
    start = datetime(2027, 1, 1) + timedelta(minutes=number)
    return dict(
        name=f"A quiet journey {number}", destination=f"Place {number % 40}", start_date=start,
        end_date=start + timedelta(days=7), budget=number / 7, is_favorite=number % 5 == 0,
        notes="Bring the good shoes, and a map" if number % 2 else None)


def measure(title: str, work, after=lambda: None) -> None:
    times = []
    for _ in range(4):
        began = time.perf_counter()
        result = work()
        times.append((time.perf_counter() - began) * 1000)
        del result
        after()
    print(f"{title:40} {statistics.median(times[1:]):8.1f} ms", flush=True)


engine = create_engine(sys.argv[1])
Base.metadata.drop_all(engine)
Base.metadata.create_all(engine)
count = 100_000
rows = [values(number) for number in range(count)]
with Session(engine) as session:
    session.execute(insert(Trip), rows)
    session.flush()
    keys = list(session.scalars(select(Trip.id).order_by(Trip.id)))
    items = [dict(title=f"item {n}", is_in_plan=False, trip_id=key) for key in keys for n in range(3)]
    session.execute(insert(Item), items)
    session.commit()
last = keys[-1]
wanted = random.Random(4).sample(keys, 5_000)


def clear() -> None:
    with Session(engine) as session:
        session.execute(delete(Trip).where(Trip.id > last))
        session.commit()


def bulk() -> None:
    with Session(engine) as session:
        session.execute(insert(Trip), rows)
        session.commit()


def models() -> None:
    with Session(engine) as session:
        session.add_all([Trip(**row) for row in rows])
        session.commit()


def saves() -> None:
    with Session(engine) as session:
        for row in rows[:200]:
            session.add(Trip(**row))
            session.commit()


def fetch(statement):
    with Session(engine) as session:
        return list(session.scalars(statement))


measure("insert 100,000 rows, one statement", bulk, clear)
measure("insert 100,000 models, one commit", models, clear)
measure("fetch 100,000", lambda: fetch(select(Trip)))
measure("200 commits of 1", saves, clear)
measure("1,000 lists prefetched", lambda: [
    trip.items for trip in fetch(select(Trip).order_by(Trip.id).limit(1_000).options(selectinload(Trip.items)))])
measure("fetch 5,000 by key", lambda: fetch(select(Trip).where(Trip.id.in_(wanted))))
Base.metadata.drop_all(engine)

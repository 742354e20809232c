/** A node of one of the two worlds, and the clients that are connected to it. */
export interface Seat {
  id: number;
  name: string;
  region: string;
  /** How many clients it is made for; more may come. */
  room: number;
  clients: number;
  /** What its last report said. */
  reported: number;
}

export interface Spread {
  /** Jain's index of the use of the nodes: 1 = all alike, 1/n = all clients on one. */
  jain: number;
  clients: number;
  /** Clients on nodes with more clients than room. */
  crowded: number;
  /** Nodes by how much of their room is used: 0–20 %, 20–40 %, … 80–100 %, more. */
  bands: number[];
  most: Seat;
  least: Seat;
}

const BANDS = 6;

/** The nodes of the fleet as one way of choosing fills them. */
export class World {
  readonly seats: readonly Seat[];
  readonly #byId: ReadonlyMap<number, Seat>;

  constructor(seats: readonly Seat[]) {
    this.seats = seats;
    this.#byId = new Map(seats.map((seat) => [seat.id, seat]));
  }

  seat(id: number): Seat {
    const seat = this.#byId.get(id);
    if (!seat) throw new Error(`there is no node ${id}`);
    return seat;
  }

  /** A client connects, and leaves after its stay. */
  join(id: number, stayMs: number): void {
    const seat = this.seat(id);
    seat.clients++;
    setTimeout(() => seat.clients--, stayMs).unref();
  }

  spread(): Spread {
    const sorted = this.seats.toSorted((a, b) => useOf(a) - useOf(b));
    const uses = sorted.map(useOf);
    const sum = uses.reduce((total, use) => total + use, 0);
    const squares = uses.reduce((total, use) => total + use * use, 0);
    const bands = Array.from({ length: BANDS }, () => 0);
    for (const use of uses) {
      const band = use > 1 ? BANDS - 1 : Math.min(Math.floor(use * 5), BANDS - 2);
      bands[band] = (bands[band] as number) + 1;
    }
    const clientsOf = (seats: Seat[]) => seats.reduce((total, seat) => total + seat.clients, 0);
    return {
      jain: squares === 0 ? 1 : (sum * sum) / (uses.length * squares),
      clients: clientsOf(sorted),
      crowded: clientsOf(sorted.filter((seat) => seat.clients > seat.room)),
      bands,
      most: sorted.at(-1) as Seat,
      least: sorted[0] as Seat,
    };
  }
}

/** Share of the room that is used. */
export function useOf(seat: Seat): number {
  return seat.clients / seat.room;
}

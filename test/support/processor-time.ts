import { readdirSync, readFileSync } from 'node:fs'

/*
 * Processor seconds of whole trees of processes, as Linux counts them in /proc (proc_pid_stat(5)). Time of a child that ended is in its
 * parent's, if the parent has waited for it; a child that outlives its parent, as Chromium outlives a worker that is killed, is counted
 * by itself. On other systems nothing is counted.
 */

/** ticks a second: USER_HZ, which is 100 for every program on Linux */
const ticksPerSecond = 100

interface Process {
  /** the pid, and when it began: pids are used again */
  readonly key: string
  readonly pid: number
  readonly parent: number
  /** its own time, in ticks */
  readonly own: number
  /** the time of children that it has waited for, and of theirs */
  readonly reaped: number
}

function readProcess(pid: string): Process | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // the name of a program may have spaces and brackets
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    return {
      key: `${pid}:${field(22)}`,
      pid: Number(pid),
      parent: field(4),
      own: field(14) + field(15),
      reaped: field(16) + field(17),
    }
  } catch {
    // it has ended meanwhile
    return undefined
  }
}

/** All processes of this computer; none where there is no /proc. */
export function listProcesses(): Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []))
  } catch {
    return []
  }
}

/** Counts the processor time of a process and of all that descend from it, from one look at /proc to the next. */
export class ProcessTree {
  readonly #root: number
  readonly #seen = new Map<string, Process>()

  constructor(root: number) {
    this.#root = root
  }

  /** @param processes of one moment */
  update(processes: readonly Process[]): void {
    const children = Map.groupBy(processes, ({ parent }) => parent)
    const members = processes.filter(({ key, pid }) => pid === this.#root || this.#seen.has(key))
    const found = new Set(members)
    // a set iterates over what is added meanwhile
    for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child)
    for (const one of found) this.#seen.set(one.key, one)
    this.#alive = new Set([...found].map(({ key }) => key))
  }

  #alive = new Set<string>()

  /** Processor seconds until the last look. What ended since the look before counts if its parent has waited for it. */
  get seconds(): number {
    const ended = [...this.#seen.values()].filter(({ key }) => !this.#alive.has(key))
    const endedByParent = new Map<number, number>()
    for (const { parent, own, reaped } of ended)
      endedByParent.set(parent, (endedByParent.get(parent) ?? 0) + own + reaped)
    let ticks = 0
    for (const { pid, own, reaped } of this.#seen.values())
      // of what it has waited for, the part that nobody has seen
      ticks += own + Math.max(0, reaped - (endedByParent.get(pid) ?? 0))
    return ticks / ticksPerSecond
  }
}

/** Processor milliseconds of this process and of all that descend from it; what ended counts if its parent has waited for it. */
export function readOwnTree(): number {
  const own = process.cpuUsage()
  const ownMs = (own.user + own.system) / 1000
  const self = readProcess(String(process.pid))
  if (!self) return ownMs
  const ticksToMs = 1000 / ticksPerSecond
  if (hasNoChild()) return ownMs + self.reaped * ticksToMs
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent)
  const below = new Set(children.get(process.pid))
  for (const { pid } of below) for (const child of children.get(pid) ?? []) below.add(child)
  const ticks = [...below].reduce((sum, { own: time, reaped }) => sum + time + reaped, self.reaped)
  return ownMs + ticks * ticksToMs
}

function hasNoChild(): boolean {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1') === ''
  } catch {
    return false
  }
}

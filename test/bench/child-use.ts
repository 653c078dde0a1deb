import { readFileSync } from 'node:fs'

// The resources of a process with its children, which Node does not tell. Linux only.

const tryRead = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // the process has ended
    return ''
  }
}

const sampleMs = 10

/** Samples the peak of each child. @returns reads the peak of this process and its largest child, in MB */
export function watchMemory(): () => number {
  let childKb = 0
  const sample = () => {
    for (const pid of tryRead(`/proc/self/task/${process.pid}/children`).split(' '))
      if (pid !== '')
        childKb = Math.max(childKb, Number(/VmHWM:\s+(\d+)/.exec(tryRead(`/proc/${pid}/status`))?.[1] ?? 0))
  }
  setInterval(sample, sampleMs).unref()
  return () => (process.resourceUsage().maxRSS + childKb) / 1024
}

/** @returns the processor time of this process and of its children that have ended, in milliseconds */
export function readCpuMs(): number {
  // proc_pid_stat(5): the name, in parentheses, may have spaces; times are in hundredths of a second
  const fields = tryRead('/proc/self/stat').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

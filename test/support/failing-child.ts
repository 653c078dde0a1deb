import { once } from 'node:events'
import { runForParent } from '../../functions/documents/parent-process.ts'

// A child process that fails as libraries do which read a document.

const ways: Readonly<Record<string, () => void>> = {
  abort: () => process.abort(),
  array: () => {
    const array: number[] = []
    for (;;) array.push(1.5)
  },
  exception: () => {
    throw new Error('no such font')
  },
  exit: () => process.exit(0),
  buffers: () => {
    const buffers: Buffer[] = []
    for (;;) buffers.push(Buffer.alloc(10_000_000, 1))
  },
  loop: () => {
    for (;;);
  },
  stopped: () => process.kill(process.pid, 'SIGTERM'),
}

await runForParent(async (way: string, post) => {
  await post('started')
  ways[way]?.()
  // a signal arrives later
  await once(process, 'disconnect')
})

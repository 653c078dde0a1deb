import { parentPort, workerData } from 'node:worker_threads'
import { buildIndex } from '../files/search-index/build-index.ts'

// Runs in its own thread: it takes about a second for a million characters.

const { bytes, languages } = await buildIndex(workerData as string)
parentPort?.postMessage({ bytes, languages }, [bytes.buffer])

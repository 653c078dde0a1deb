import { runForParent } from './parent-process.ts'
import { scalePixels } from './scale-pixels.ts'
import type { ScaleRequest } from './scale-contract.ts'

// Runs in its own process: the decoder ends with whatever a picture does to it.

await runForParent<ScaleRequest>(async (request, post) => post(scalePixels(request)))

import type { Capability } from '../capability.ts'
import { gmail } from './gmail.ts'
import { googleDrive } from './google-drive.ts'
import { hubspot } from './hubspot.ts'

/** What the product itself can do with each built-in integration, by its id. */
export const capabilities: Readonly<Record<string, readonly Capability[]>> = {
  gmail,
  'google-drive': googleDrive,
  hubspot,
}

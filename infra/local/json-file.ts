import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Data in a JSON file, which is read once. @param initial gets the members of the file, if there is one */
export async function openJsonFile<State extends object>(file: string, initial: State) {
  const state = Object.assign(initial, await load(file))
  let saving = Promise.resolve()
  return {
    state,
    /** Saves the current data; responses wait for it. */
    save(): Promise<void> {
      saving = saving.catch(() => undefined).then(() => write(file, state))
      return saving
    },
  }
}

async function load(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Writes a temporary file and renames it, so that a killed process leaves the old file intact. */
async function write(file: string, state: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  // one that an earlier process left may be open to others
  await rm(`${file}.new`, { force: true })
  await writeFile(`${file}.new`, JSON.stringify(state, null, 1), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

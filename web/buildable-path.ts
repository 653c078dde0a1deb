/**
 * Vite reads these characters of a path as the beginning of a query or fragment, and then leaves out files without saying so.
 * @throws Error if the repository's path has one
 */
export function requireBuildablePath(folder: string): void {
  const found = /[#?]/.exec(folder)?.[0]
  if (found === undefined) return
  throw new Error(`The page cannot be built in a folder with ${found} in its path. Move it: ${folder}`)
}

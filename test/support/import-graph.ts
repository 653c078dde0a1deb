import { posix } from 'node:path'

/*
 * Which modules a change can reach: what imports it, directly or over others. Types are left out, because the type check covers them.
 */

const importPattern =
  /(?<!\w)(?:import|export)(\s+type\b)?[^'"`;]{0,5000}?from\s*['"]([^'"]+)['"]|(?<!\w)import\s*\(?\s*['"]([^'"]+)['"]|new URL\(\s*['"]([^'"]+)['"]/g

/** @returns the project's files that a module loads, as paths of the repository */
export function listImports(file: string, source: string): string[] {
  return [...source.matchAll(importPattern)]
    .filter(([, isType]) => isType === undefined)
    .map(([, , from, alone, url]) => from ?? alone ?? url ?? '')
    .filter((specifier) => /^\.|^#shared\//.test(specifier))
    .map((specifier) =>
      specifier.startsWith('#shared/')
        ? `shared/${specifier.slice('#shared/'.length)}`
        : posix.join(posix.dirname(file), specifier),
    )
}

/**
 * @param changed paths of the repository
 * @param sources by path, all modules
 * @returns what the changed files reach, nearest first: they themselves, what imports them, what imports that
 */
export function findReached(
  changed: readonly string[],
  sources: ReadonlyMap<string, string>,
): Map<string, number> {
  const importers = new Map<string, string[]>()
  for (const [file, source] of sources)
    for (const imported of listImports(file, source))
      importers.set(imported, [...(importers.get(imported) ?? []), file])
  const distances = new Map(changed.map((file) => [file, 0]))
  // a map iterates over what is added meanwhile
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

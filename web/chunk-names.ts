import { fileURLToPath } from 'node:url'

/** What the bundler tells of a module. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const authPage = source('features/auth/auth-page.tsx')

/** The modules of our own that these cannot do without; what they `import()` is not needed at once. */
function reachedFrom(entries: readonly string[], modules: Modules): ReadonlySet<string> {
  const known = new Set<string>()
  const add = (id: string) => {
    // a package's index names everything that the package has, most of which is not used
    if (known.has(id) || id.includes('/node_modules/')) return
    known.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return known
}

/**
 * Names the file of the build for modules of the first pages. The bundler by itself makes a file for each set of parts that share
 * something, nineteen for the chat alone and most of them one icon; but a request of 200 bytes waits as long on a phone as one of
 * 20 KB, and what is compressed together is smaller.
 */
export function chunkOf(): (id: string, modules: Modules) => string | null {
  let reached: Record<'first' | 'auth' | 'signInAgain' | 'chat', ReadonlySet<string>> | undefined
  return (id, modules) => {
    reached ??= {
      first: reachedFrom([source('main.tsx')], modules),
      auth: reachedFrom([authPage], modules),
      signInAgain: reachedFrom([source('features/auth/sign-in-again-dialog.tsx')], modules),
      chat: reachedFrom([source('app/authenticated-layout.tsx'), source('app/main-screen.tsx')], modules),
    }
    if (reached.first.has(id) || id === authPage) return null
    // the sign-in shares its fields with the settings, and its flows with the dialog that asks for a new sign-in
    if (reached.auth.has(id))
      return id.includes('/features/auth/') && !reached.signInAgain.has(id) ? null : 'forms'
    return reached.chat.has(id) ? 'chat' : null
  }
}

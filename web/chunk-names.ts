import { fileURLToPath } from 'node:url'

/** The part of the bundler's module graph that is used here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const toSourcePath = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const authPage = toSourcePath('features/auth/auth-page.tsx')

/**
 * Code that every page uses, with the icons of forms and chat, and code shared with lazy components. Nothing on the first pages uses some
 * of React Query's hooks.
 */
export const shellModules =
  /lucide-react\/.*\/icons\/(arrow-down|arrow-up|circle-exclamation-point|eye-off|info|key-round|layout-grid|mail|panel-left|paperclip|sparkles|wifi-off|x)\.|react-router|@tanstack(?!.*\/(infiniteQueryObserver|mutationObserver|queriesObserver|use(InfiniteQuery|Mutation|Queries))\.)|components\/(ui\/(card-class|icon-button|logo|skeleton|spinner|toast|tooltip)|page-frame)\.|shared\/(truncate|untitled)\.|lib\/(announce|api-errors|call-api|composer-note|composer-text|config|create-store|online|query-client|running-actions|shortcuts|store-tokens|translate-rich|text-input|use-document-title|use-media-query|user-resources|when-idle)\.|features\/chat\/(is-same-list|state\/conversation)\./

/** What the chat loads as soon as it can be used. */
const lazyParts = [
  'app/conversation-panel.tsx',
  'app/frame-notices.tsx',
  'app/maintenance.tsx',
  'app/toasts-and-focus.tsx',
  'app/top-bar-parts.tsx',
  'features/account/account-menu.tsx',
  'features/chat/approvals/approval-cards.tsx',
  'features/chat/attachments/message-files.tsx',
  'features/chat/composer/adopt-draft.ts',
  'features/chat/messages/message-list.tsx',
  'features/chat/state/run-effects.ts',
  'features/chat/tools/tool-call-list.tsx',
].map(toSourcePath)

/** Small modules that lazy pages share; each would be a chunk that the first page has to list by name. */
const smallModules =
  /@tanstack.*\/(infiniteQueryObserver|mutationObserver|useInfiniteQuery|useMutation)\.|node_modules\/devlop\/|shared\/diagram-frame\.|chat\/export\/(load-conversation|start-word-export)\.|chat\/(attachments\/load-folder-code|describe-ending|listen-to-frame|reasoning\/source-list)\.|web\/src\/(components\/(action-dialog|describe-deletion|format-stored-data|query-content|offline-bar|page-header|prompt-dialog|saved-prompts|scroll-region|settings-card|use-file-link-handlers|ui\/(badge|check-row|segmented-control|select-field|status))|lib\/(conversation-title|format-ago|has-error-code|full-width-punctuation|prompt-queries|update-cached)|lib\/use-(back-to-chat|debounced|has-rendered|last|now))\./

const siteModules = /web\/src\/(components\/site-notice|lib\/site-state)\./

const overlayModules =
  /node_modules\/(@radix-ui|@floating-ui|aria-hidden|get-nonce|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar)|components\/ui\/(dialog|dialog-focus|document-flag|menu|overlay|popover-style)\./

/** Our own modules that the entries import statically. */
function collectImports(entries: readonly string[], modules: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    // a package's index re-exports everything, most of which is unused
    if (found.has(id) || id.includes('/node_modules/')) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const entry of entries) add(entry)
  return found
}

/**
 * Assigns the modules of the first pages to chunks, and those that lazy parts of the chat share. By default the bundler creates a
 * chunk for each set of pages that share a module: nineteen for the chat alone and forty more for its lazy parts, most with a single
 * icon or function. On a phone a request of 200 bytes takes as long as one of 20 KB, and larger chunks compress better.
 */
export function createChunkNamers() {
  let modulesByPage:
    | Record<'entry' | 'first' | 'auth' | 'signInAgain' | 'chat' | 'lazy', ReadonlySet<string>>
    | undefined
  const collect = (modules: ModuleGraph) =>
    (modulesByPage ??= {
      entry: collectImports([toSourcePath('main.tsx')], modules),
      first: collectImports([toSourcePath('main.tsx'), toSourcePath('app/start.tsx')], modules),
      auth: collectImports([authPage], modules),
      signInAgain: collectImports([toSourcePath('features/auth/sign-in-again-dialog.tsx')], modules),
      chat: collectImports(
        [toSourcePath('app/authenticated-layout.tsx'), toSourcePath('app/main-screen.tsx')],
        modules,
      ),
      lazy: collectImports(lazyParts, modules),
    })
  return {
    entry: (id: string, modules: ModuleGraph): string | null =>
      collect(modules).entry.has(id) || id.includes('vite/preload-helper') || id.includes('rolldown/runtime')
        ? 'index'
        : null,
    firstPages: (id: string, modules: ModuleGraph): string | null => {
      const { entry, first, auth, signInAgain, chat } = collect(modules)
      if (entry.has(id) || id === authPage) return null
      if (first.has(id) || /\/node_modules\/(react-dom|scheduler)\//.test(id)) return 'page'
      // of the field of a password; and what Amplify shares with overlays
      if (/lucide-react\/.*\/icons\/eye\.|node_modules\/tslib\//.test(id)) return 'forms'
      // the sign-in shares its fields with the settings, and its flows with the dialog for a new sign-in
      if (auth.has(id)) return id.includes('/features/auth/') && !signInAgain.has(id) ? null : 'forms'
      return chat.has(id) ? 'chat' : null
    },
    lazyParts: (id: string, modules: ModuleGraph): string | null => {
      const { first, auth, chat, lazy } = collect(modules)
      const belongsToChat = (module: string) =>
        chat.has(module) && !first.has(module) && !auth.has(module) && !shellModules.test(module)
      if (first.has(id) || auth.has(id) || chat.has(id) || lazyParts.includes(id)) return null
      if (overlayModules.test(id)) return 'overlays'
      // the sign-in shows it, too, and needs none of the other parts
      if (siteModules.test(id)) return 'site'
      // a reply and a call show the same tables
      if (!lazy.has(id) && !smallModules.test(id))
        return id.includes('/features/chat/query/') ? 'query' : null
      // a shared conversation and the settings use some of them without the chat
      const needsChat = [...collectImports([id], modules)].some((needed) => belongsToChat(needed))
      return needsChat ? 'chat-parts' : 'parts'
    },
  }
}

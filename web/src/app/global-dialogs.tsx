import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import {
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
} from 'react'
import { useNavigate } from '../lib/navigation/router.tsx'
import { lazyComponent } from '../components/lazy-component.tsx'
import type { EarlyInput } from '../features/search/search-dialog.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { conversationPath, useStartNewChat } from '../lib/navigation/new-chat.ts'
import { useEscape } from '../lib/input/escape.ts'
import { projectsQuery } from '../lib/queries/project-queries.ts'
import { bind } from '../lib/input/text-input.ts'
import { useInput } from '../lib/input/use-input.ts'
import { useUserResource } from '../lib/actions/user-resources.ts'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useDestinations } from './use-destinations.tsx'

const SearchDialog = lazyComponent(() => import('../features/search/search-dialog.tsx'), 'SearchDialog')
const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog', null)

/** The search service of one user, closed when they sign out. */
function createSearch() {
  let service: SearchService | undefined
  return {
    /** Starts the worker on first use. */
    getService: () => (service ??= createSearchService()),
    close: () => {
      service?.close()
      service = undefined
    },
  }
}

const closeDialog = () => setCurrentDialog(null)

/** Takes what is typed while the search dialog is loaded: it would otherwise be written into the message. */
function EarlyField({ onInput }: { onInput: (input: EarlyInput) => void }) {
  const [opener] = useState(() => document.activeElement)
  const field = useRef<HTMLInputElement>(null)
  const input = useInput(useId(), { onLeave: 'forget' })
  useEffect(() => {
    field.current?.focus()
    onInput({ text: '', opener })
  }, [onInput, opener])
  useEscape(
    'field',
    () => {
      closeDialog()
      if (opener instanceof HTMLElement) opener.focus()
    },
    (target) => target === field.current,
  )
  return (
    <input
      {...bind(input, { onInput: (text) => onInput({ text, opener }) })}
      ref={field}
      aria-label={t`Search`}
      className="sr-only"
    />
  )
}

/** The search dialog, which goes on with what is typed while it is loaded. */
function Search(props: Omit<ComponentProps<typeof SearchDialog>, 'readEarlyInput'>) {
  const earlyInput = useRef<EarlyInput>(undefined)
  const setEarlyInput = useCallback((input: EarlyInput) => {
    earlyInput.current = input
  }, [])
  const readEarlyInput = useCallback(() => earlyInput.current, [])
  return (
    <Suspense fallback={<EarlyField onInput={setEarlyInput} />}>
      <SearchDialog {...props} readEarlyInput={readEarlyInput} />
    </Suspense>
  )
}

/** The dialogs that can be opened from any page: search and keyboard shortcuts. */
export function GlobalDialogs() {
  const currentDialog = useCurrentDialog()
  const navigate = useNavigate()
  const startNewChat = useStartNewChat()
  const { getService } = useUserResource(createSearch)
  const { data: projects } = useQuery({ ...projectsQuery, enabled: currentDialog === 'search' })
  const projectNames = useMemo(() => new Map(projects?.map(({ id, name }) => [id, name])), [projects])
  const destinations = useDestinations({
    onNewChat: startNewChat,
    onShowShortcuts: () => setCurrentDialog('shortcuts'),
  })
  return (
    <>
      {currentDialog === 'search' && (
        <Search
          onClose={closeDialog}
          onOpenConversation={(id, messageId) =>
            navigate(conversationPath(id, messageId), { flushSync: true })
          }
          getService={getService}
          projectNames={projectNames}
          destinations={destinations}
        />
      )}
      {currentDialog === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </>
  )
}

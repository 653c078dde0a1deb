import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { lazyComponent } from '../components/lazy-component.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { conversationPath, useStartNewChat } from '../lib/new-chat.ts'
import { projectsQuery } from '../lib/project-queries.ts'
import { useUserResource } from '../lib/user-resources.ts'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useDestinations } from './use-destinations.tsx'

const SearchDialog = lazyComponent(() => import('../features/search/search-dialog.tsx'), 'SearchDialog')
const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')

/** The search index of one user, dropped when they sign out. */
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
    <Suspense>
      {currentDialog === 'search' && (
        <SearchDialog
          onClose={closeDialog}
          onOpenConversation={(id, messageId) =>
            void navigate(conversationPath(id, messageId), { flushSync: true })
          }
          getService={getService}
          projectNames={projectNames}
          destinations={destinations}
        />
      )}
      {currentDialog === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </Suspense>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { lazyComponent } from '../components/lazy-component.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { projectsQuery } from '../lib/projects.ts'
import { useUserResource } from '../lib/user-resources.ts'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useDestinations } from './search-destinations.tsx'

const SearchDialog = lazyComponent(() => import('../features/search/search-dialog.tsx'), 'SearchDialog')
const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')

interface GlobalDialogsProps {
  onClose: () => void
  onOpenConversation: (id: string, messageId?: string) => void
  onNewChat: () => void
}

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

/** The dialogs that can be opened from anywhere: search and keyboard shortcuts. */
export function GlobalDialogs({ onClose, onOpenConversation, onNewChat }: GlobalDialogsProps) {
  const currentDialog = useCurrentDialog()
  const { getService } = useUserResource(createSearch)
  const { data: projects } = useQuery({ ...projectsQuery, enabled: currentDialog === 'search' })
  const projectNames = useMemo(() => new Map(projects?.map(({ id, name }) => [id, name])), [projects])
  const destinations = useDestinations({
    onNewChat,
    onShowShortcuts: () => setCurrentDialog('shortcuts'),
  })
  if (currentDialog === null) return null
  return (
    <Suspense>
      {currentDialog === 'search' ? (
        <SearchDialog
          onClose={onClose}
          onOpenConversation={onOpenConversation}
          getService={getService}
          projectNames={projectNames}
          destinations={destinations}
        />
      ) : (
        <ShortcutsDialog onClose={onClose} />
      )}
    </Suspense>
  )
}

import { Keyboard, SquarePen } from 'lucide-react'
import { Suspense } from 'react'
import { deferred } from '../components/lazy-component.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { useUserResource } from '../lib/user-resources.ts'
import { showOverlay, useOverlay } from './open-dialog.ts'

const { Deferred: SearchDialog } = deferred(() =>
  import('../features/search/search-dialog.tsx').then((module) => module.SearchDialog),
)
const { Deferred: ShortcutsDialog } = deferred(() =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

interface OverlayHostProps {
  onClose: () => void
  onOpenConversation: (id: string, messageId?: string) => void
  onStartFresh: () => void
}

/** What was loaded for one account is searched as long as its user is here, and is gone with them (DEC-031). */
function createSearch() {
  let service: SearchService | undefined
  return {
    /** The first call starts the worker. */
    getService: () => (service ??= createSearchService()),
    close: () => {
      service?.close()
      service = undefined
    },
  }
}

/** Search and the list of shortcuts, wherever they were asked for. */
export function OverlayHost({ onClose, onOpenConversation, onStartFresh }: OverlayHostProps) {
  const overlay = useOverlay()
  const { getService } = useUserResource(createSearch)
  if (overlay === null) return null
  return (
    <Suspense>
      {overlay === 'search' ? (
        <SearchDialog
          onClose={onClose}
          onOpenConversation={onOpenConversation}
          getService={getService}
          destinations={[
            {
              label: 'Start Fresh Chat',
              icon: <SquarePen aria-hidden size={16} />,
              onSelect: onStartFresh,
            },
            {
              label: 'Keyboard shortcuts',
              icon: <Keyboard aria-hidden size={16} />,
              onSelect: () => showOverlay('shortcuts'),
            },
          ]}
        />
      ) : (
        <ShortcutsDialog onClose={onClose} />
      )}
    </Suspense>
  )
}

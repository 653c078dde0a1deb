import { Keyboard, SquarePen } from 'lucide-react'
import { Suspense } from 'react'
import { lazyComponent } from '../components/lazy-component.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { useUserResource } from '../lib/user-resources.ts'
import { setOpenDialog, useOpenDialog } from './open-dialog.ts'

const { Component: SearchDialog } = lazyComponent(() =>
  import('../features/search/search-dialog.tsx').then((module) => module.SearchDialog),
)
const { Component: ShortcutsDialog } = lazyComponent(() =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

interface GlobalDialogsProps {
  onClose: () => void
  onOpenConversation: (id: string, messageId?: string) => void
  onStartFresh: () => void
}

/** What was loaded for one account is searched as long as its user is here, and is gone with them. */
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
export function GlobalDialogs({ onClose, onOpenConversation, onStartFresh }: GlobalDialogsProps) {
  const overlay = useOpenDialog()
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
              onSelect: () => setOpenDialog('shortcuts'),
            },
          ]}
        />
      ) : (
        <ShortcutsDialog onClose={onClose} />
      )}
    </Suspense>
  )
}

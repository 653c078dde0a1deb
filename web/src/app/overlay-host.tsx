import { Keyboard, SquarePen } from 'lucide-react'
import { Suspense, useCallback, useEffect, useRef } from 'react'
import { deferred } from '../components/deferred.tsx'
import { createSearchService, type SearchService } from '../features/search/search-service.ts'
import { showOverlay, useOverlay } from './overlays.ts'

const { Deferred: SearchDialog } = deferred(() =>
  import('../features/search/search-dialog.tsx').then((module) => module.SearchDialog),
)
const { Deferred: ShortcutsDialog } = deferred(() =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

interface OverlayHostProps {
  onOpenConversation: (id: string) => void
  onStartFresh: () => void
}

/** Search and the list of shortcuts, wherever they were asked for. */
export function OverlayHost(props: OverlayHostProps) {
  const overlay = useOverlay()
  // what was found of one account is gone with it (DEC-031)
  const service = useRef<SearchService>(undefined)
  useEffect(
    () => () => {
      service.current?.close()
      service.current = undefined
      showOverlay(null)
    },
    [],
  )
  const getService = useCallback(() => (service.current ??= createSearchService()), [])
  const close = useCallback(() => showOverlay(null), [])
  if (overlay === null) return null
  return (
    <Suspense>
      {overlay === 'search' ? (
        <SearchDialog
          onClose={close}
          onOpenConversation={props.onOpenConversation}
          getService={getService}
          destinations={[
            {
              label: 'Start Fresh Chat',
              icon: <SquarePen aria-hidden size={16} />,
              onSelect: props.onStartFresh,
            },
            {
              label: 'Keyboard shortcuts',
              icon: <Keyboard aria-hidden size={16} />,
              onSelect: () => showOverlay('shortcuts'),
            },
          ]}
        />
      ) : (
        <ShortcutsDialog onClose={close} />
      )}
    </Suspense>
  )
}

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import { useUserResource } from '../../lib/actions/user-resources.ts'
import { useBrand } from '../../lib/api/config.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { EarlierImports } from './earlier-imports.tsx'
import { FileChoice } from './file-choice.tsx'
import type { UploadFile } from './file-uploader.ts'
import { ImportProgressBar } from './import-progress-bar.tsx'
import { ImportResult } from './import-result.tsx'
import { createImportService } from './import-service.ts'
import { UndoImportDialog, type UndoTarget } from './undo-import-dialog.tsx'

/** Imports exports of other assistants, shows what became of them, and undoes imports. */
export function ImportCard({ userId, uploadFile }: { userId: string; uploadFile: UploadFile }) {
  const service = useUserResource(createImportService, { userId, uploadFile })
  const state = useStore(service.store)
  const { brandName } = useBrand()
  const [undoTarget, setUndoTarget] = useState<UndoTarget>()
  const mayUpload = useRight('upload')

  return (
    <SettingsCard
      title={t`Import conversations`}
      subtitle={t`Bring your history from ChatGPT, Claude, LibreChat, Open WebUI or another ${{ brand: brandName }}: choose the files that you get there with “Export data” or “Export”, all of them together.`}
    >
      <CardSection>
        {state.phase === 'running' && <ImportProgressBar status={state} onCancel={service.cancel} />}
        {state.phase === 'ended' && (
          <ImportResult state={state} onReset={service.reset} onUndo={setUndoTarget} />
        )}
        {(state.phase === 'idle' || state.phase === 'undoing') && (
          <>
            {!mayUpload && (
              <div className="mb-3">
                <Callout variant="info">{t`Your group may not add files, so conversations are imported without theirs.`}</Callout>
              </div>
            )}
            <FileChoice
              isDisabled={state.phase === 'undoing'}
              onChoose={(files) => void service.start(files)}
            />
          </>
        )}
      </CardSection>
      <EarlierImports state={state} onUndo={setUndoTarget} />
      <UndoImportDialog target={undoTarget} onClose={() => setUndoTarget(undefined)} onUndo={service.undo} />
    </SettingsCard>
  )
}

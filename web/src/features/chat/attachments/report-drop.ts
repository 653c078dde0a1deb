import { showToast } from '../../../components/ui/toast.ts'
import * as texts from './drop-texts.ts'

/** Says what a drop had besides files; otherwise nothing would happen. */
export function reportOmittedDrop(hasFolder: boolean | undefined): void {
  showToast('error', hasFolder ? texts.noFolders : texts.noFile, {
    id: 'drop-refused',
    description: hasFolder ? texts.dropFilesInstead : texts.chooseFileInstead,
  })
}

import { loadCatalogue } from './lib/text/language.ts'
import { watchFailedImports } from './lib/browser/reload-page.ts'
import './styles/app.css'

watchFailedImports()
// texts are translated when their modules are evaluated
void loadCatalogue()
  .then(() => import('./app/start.tsx'))
  .then(({ start }) => start())

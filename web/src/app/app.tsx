import { Mark } from '../components/ui/mark.tsx'

export function App() {
  return <Mark />
}

import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/$organizationType')({
  component: RouteComponent,
});

function RouteComponent() {
  return <div>Hello "/_app/$organizationType"!</div>;
}

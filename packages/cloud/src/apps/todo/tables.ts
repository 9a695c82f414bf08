// The rows of the todo app. Times are Unix seconds.
export interface TodoTables {
  todo_boards: { org: string; id: string; name: string; created: number };
  todo_items: {
    org: string;
    id: string;
    board: string;
    title: string;
    notes: string;
    status: string;
    priority: string;
    /** `agent`: opened by a tool call; `user`: by an operation */
    source: string;
    who: string;
    created: number;
    updated: number;
  };
}

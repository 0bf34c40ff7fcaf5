-- Marks of the lists of organizations, beside those of the whole trail, are found by id as well as by number: a page of some
-- days begins between two marks (docs/decisions/0031).
CREATE INDEX audit_marks_kind_id_index ON audit_marks (kind, id);

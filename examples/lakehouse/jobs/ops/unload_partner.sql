-- Entrega semanal ao parceiro de seguros: só contratos com seguro-fiança, CPF com md5.
-- Schedule: weekly, Friday 20:00 · Owner: partnerships
INSERT OVERWRITE DIRECTORY 's3a://aluga-share/seguros/semana=${semana}'
SELECT l.contract_number, md5(u.cpf) AS cpf_md5, l.aluguel_brl, l.data_inicio, l.data_fim
FROM clean.leases l
JOIN clean.user_clean u ON u.user_id = l.tenant_user_id
WHERE l.garantia = 'seguro-fiança' AND u.ds = '${ds}';
